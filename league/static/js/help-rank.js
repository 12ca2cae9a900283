// Puts the answers of the help in order for a word or a whole question. A word says the less the more
// answers have it, and least if the language has it in every other sentence: the page lists those.
import { mistyped, plain } from "./words.js";

const HANDFUL = 5;
const CLOSE = 0.7; // of the best answer: others as good as that are shown with it
const SURE = 0.42; // below this no answer says what was looked for
const COVERED = 0.45; // of what the question says, that an answer has to speak of
const OTHER = 0.8; // of a word like one that the answers have just so
const SMALL = 0.2; // of the weight of another word

// E-mail is also email.
const joined = (text) => (text.match(/\p{L}+(?:-\p{L}+)+/gu) ?? []).join(" ").replaceAll("-", "");
const split = (text) => [...new Set(plain(`${text} ${joined(text)}`).replaceAll("%", " % ").split(" ").filter(Boolean))];
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

// How alike two words are, from their first letters: prints and printing are, also sit and sitting.
function likeness(word, other) {
  if (word === other) return 1;
  const [least, most] = [word.length, other.length].sort((a, b) => a - b);
  const begun = [...word].findIndex((letter, index) => letter !== other[index]);
  const same = begun < 0 ? word.length : Math.min(begun, least);
  if (same === word.length && same > 1) return 0.9;
  const isShort = same === other.length && same === 3; // sit, of sitting
  return (same > 3 && same >= most - 3) || (isShort && same >= most - 4) ? 0.8 : 0;
}

// A number says little, whether of points, players, a day or an hour: 10, 11th, 7pm.
const isNumber = (word) => /^\d{1,2}\p{L}{0,2}$/u.test(word);

// An answer has `phrases` (its heading, other words for it, questions) and all its `text`. The `small`
// words are those that say little.
export function indexed(answers, small) {
  const smallWords = new Set(split(small));
  const isSmall = (word) => smallWords.has(word) || isNumber(word);
  const all = answers.map(({ phrases, text }) => ({ phrases: phrases.map(split), words: split([...phrases, text].join(" ")) }));
  const having = new Map();
  for (const word of all.flatMap(({ words }) => words)) having.set(word, (having.get(word) ?? 0) + 1);
  const weight = (number) => Math.log(1 + all.length / (1 + number)) ** 1.5;
  const heft = (word, number) => weight(number) * (isSmall(word) ? SMALL : 1);
  const hefts = all.map(({ phrases }) => phrases.map((phrase) => sum(phrase.map((word) => heft(word, having.get(word))))));
  return { all, having, isSmall, heft, hefts, terms: new Map() };
}

// The words of the answers that are like this one, with how much: a part of one (Einzelturnier) or a
// wrong letter only counts where nothing else is like it.
function matches(word, having, isSmall) {
  if (isSmall(word)) return new Map([[word, 1]]);
  const words = [...having.keys()].filter((other) => !isSmall(other));
  const pairs = words.map((other) => [other, likeness(word, other)]).filter(([, much]) => much);
  if (having.has(word)) return new Map(pairs.map(([other, much]) => [other, much < 1 ? much * OTHER : 1]));
  if (pairs.length || word.length < 4) return new Map(pairs);
  const inside = words.filter((other) => other.includes(word) || (other.length > 4 && word.includes(other)));
  const near = mistyped(word);
  return new Map((inside.length ? inside : words.filter((other) => other[0] === word[0] && near.test(` ${other}`))).map((other) => [other, 0.7]));
}

// A word of the question: those like it, and its weight. It is remembered: the next letter changes one.
function term(word, { all, having, isSmall, heft, terms }) {
  if (!terms.has(word)) {
    const like = matches(word, having, isSmall);
    const number = having.get(word) ?? all.filter(({ words }) => words.some((other) => like.has(other))).length;
    terms.set(word, { like, weight: heft(word, number || 1) });
  }
  return terms.get(word);
}

export function ranked(index, query) {
  const terms = split(query).map((word) => term(word, index));
  const total = sum(terms.map(({ weight }) => weight));
  const met = (words) => sum(terms.map(({ like, weight }) => weight * words.reduce((most, word) => Math.max(most, like.get(word) ?? 0), 0)));
  const scores = index.all.map(({ phrases, words }, number) => {
    const best = Math.max(...phrases.map((phrase, which) => (2 * met(phrase)) / (total + index.hefts[number][which])));
    const [inHeading, inAll] = [met(phrases[0]) / total, met(words) / total];
    return { index: number, inAll, score: 0.6 * best + 0.15 * inHeading + 0.25 * inAll };
  });
  const best = scores.filter(({ score }) => score > 0.12).sort((a, b) => b.score - a.score);
  const top = best[0]?.score ?? 0;
  const sure = (top >= SURE && best[0].inAll >= COVERED) || best[0]?.inAll > 0.95;
  const shown = sure ? best.filter(({ score }) => score >= CLOSE * top).slice(0, HANDFUL) : best.slice(0, 3);
  return { sure, shown: shown.map(({ index }) => index), scores: shown.map(({ score }) => score) };
}
