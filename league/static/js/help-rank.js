// Puts the answers of the help in order for a word or a whole question. A word says the less the more
// answers have it, and less again if the language has it in every other sentence: the page lists those.
// With the figures below most questions find their answer although they are left out of the page.
import { mistyped, plain } from "./words.js";

const SHOWN = 6;
const WORTH = 0.4; // of the best one's score, that a line shown has
const ALONE = 0.55; // an answer that stands alone has at least this score,
const AHEAD = 0.7; // and no other has so much of it
const COVERED = 0.5; // of what the question says, that an answer has to speak of,
const CLEAR = 3; // or else so many of its words that the page knows, or two that the answer has, to be shown as near
const TELLING = 0.6; // of the rarest word's weight, that another has that an answer has to speak of, to be sure
const OTHER = 0.8; // of a word like one that the answers have just so
const RELATED = 0.4; // of another word of its group
const SMALL = 0.6; // of the weight of another word
const RARE = 0.1; // how often a word counts as said that an answer never says
const USUAL = 0.07; // of how much rarer the words are here than in another answer, taken from the score

// E-mail is also email.
const joined = (text) => (text.match(/\p{L}+(?:-\p{L}+)+/gu) ?? []).join(" ").replaceAll("-", "");
const spelled = (text) => text.replace(/['’]ll\b/giu, " will"); // I'll is not ill
const split = (text) => plain(spelled(`${text} ${joined(text)}`)).replaceAll("%", " % ").split(" ").filter(Boolean);
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const raise = (map, key, number) => map.set(key, Math.max(map.get(key) ?? 0, number));

// Two words that follow each other say more than each of them: not confirmed, too many.
const pairs = (words) => words.slice(1).map((word, number) => `${words[number]} ${word}`);

// How alike two words are, from their first letters: prints and printing are, also sit and sitting.
function likeness(word, other) {
  if (word === other) return 1;
  const [least, most] = [word.length, other.length].sort((a, b) => a - b);
  const begun = [...word].findIndex((letter, index) => letter !== other[index]);
  const same = begun < 0 ? word.length : Math.min(begun, least);
  if (same === word.length && same > 2) return 0.9;
  const isDoubled = same === other.length && same === 3 && word[3] === word[2] && /(?:ing|ed)$/u.test(word); // sit, of sitting: lot, not of lottery
  return (same > 3 && same >= most - 3) || (isDoubled && same >= most - 4) ? 0.8 : 0;
}

function counted(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: words.length };
}

// How usual these words are in an answer, as the mean of their logarithms (naive Bayes).
function usual({ counts, length }, words, variety) {
  const often = (word) => ((counts.get(word) ?? 0) + RARE) / (length + RARE * variety);
  return sum(words.map((word) => Math.log(often(word)))) / (words.length || 1);
}

const isNumber = (word) => /^\d{1,2}\p{L}{0,2}$/u.test(word); // says little: 10, 11th, 7pm

// An answer is its subject, a list of its heading, other words for it and all that it says, and a list of
// questions. The `small` words are those that say little; the words of a group mean much the same.
export function indexed(answers, small, groups) {
  const smallWords = new Set(split(small));
  const isSmall = (word) => word.split(" ").every((part) => smallWords.has(part) || isNumber(part));
  const read = (text, answer, isSubject) => ({ answer, isSubject, words: new Set(split(text)), pairs: new Set(pairs(split(text))) });
  const texts = answers.flatMap(({ subject, questions }, answer) => [...subject.map((text) => read(text, answer, true)), ...questions.map((text) => read(text, answer, false))]);
  const places = new Map(); // of each word and pair, the texts that have it
  for (const text of texts) for (const word of [...text.words, ...text.pairs]) places.set(word, [...(places.get(word) ?? []), text]);
  const having = (word) => new Set((places.get(word) ?? []).map(({ answer }) => answer)).size;
  const heft = (word, number) => Math.log(1 + answers.length / (1 + number)) ** 1.25 * (isSmall(word) ? SMALL : 1);
  for (const text of texts) text.heft = sum([...text.words].map((word) => heft(word, having(word))));
  const words = [...places.keys()].filter((word) => !word.includes(" ") && !isSmall(word));
  const said = answers.map(({ subject, questions }) => counted([...subject, ...questions].flatMap(split)));
  const variety = new Set(texts.flatMap((text) => [...text.words])).size;
  return { said, variety, places, words, isSmall, heft, groups: groups.split(",").map(split), terms: new Map() };
}

// The words of the answers that are like this one, with how much: a part of one (Einzelturnier) or a
// wrong letter only counts where nothing else is like it.
function alike(word, { places, words, isSmall }) {
  if (isSmall(word) || word.includes(" ")) return new Map([[word, 1]]);
  if (places.has(word) && word.length < 4) return new Map([[word, 1]]); // car is no card
  const like = words.map((other) => [other, likeness(word, other)]).filter(([, much]) => much);
  if (places.has(word)) return new Map(like.map(([other, much]) => [other, much < 1 ? much * OTHER : 1]));
  if (like.length || word.length < 4) return new Map(like);
  const inside = words.filter((other) => other.includes(word) || (other.length > 4 && 2 * other.length >= word.length && word.includes(other))); // shake is little of Shakespeare
  const near = word.length > 4 ? mistyped(word) : /$^/; // park is no part
  return new Map((inside.length ? inside : words.filter((other) => other[0] === word[0] && near.test(` ${other}`))).map((other) => [other, 0.7]));
}

// A word or pair of the question: the texts that have it or one like it, how often each answer does,
// and its weight. It is remembered: the next letter changes one.
function term(word, index) {
  if (index.terms.has(word)) return index.terms.get(word);
  const like = alike(word, index);
  for (const [other, much] of [[word, 1], ...like]) {
    for (const group of index.groups) if (group.includes(other)) for (const related of group) raise(like, related, much * RELATED);
  }
  const texts = new Map();
  for (const [other, much] of like) for (const text of index.places.get(other) ?? []) raise(texts, text, much);
  const [most, often] = [new Map(), new Map()];
  for (const [{ answer }, much] of texts) {
    raise(most, answer, much);
    often.set(answer, (often.get(answer) ?? 0) + much);
  }
  const own = new Set((index.places.get(word) ?? []).map(({ answer }) => answer)).size;
  index.terms.set(word, { texts, most, often, weight: index.heft(word, own || 1) });
  return index.terms.get(word);
}

// Each answer's score, of 1: its text most like the question, how many of its texts speak of it, and
// what it speaks of at all, also in pairs; less where it says these words more seldom than another.
function scored(index, query) {
  const words = split(query).filter((word) => index.places.has(word) || !index.isSmall(word));
  const termsOf = (list) => [...new Set(list)].map((word) => term(word, index));
  const [all, joint] = [termsOf(words), termsOf(pairs(words))];
  const terms = all.filter(({ texts }) => texts.size); // an unknown word makes no answer worse
  const total = sum(terms.map(({ weight }) => weight)) || 1;
  const met = new Map(); // by each text
  for (const { texts, weight } of terms) for (const [text, much] of texts) met.set(text, (met.get(text) ?? 0) + weight * much);
  const best = new Map();
  for (const [text, much] of met) raise(best, text.answer, (2 * much) / (total + text.heft));
  const share = (list, value) => sum(list.map((one) => one.weight * value(one))) / (sum(list.map(({ weight }) => weight)) || 1);
  const many = (list, answer) => share(list, ({ often }) => 1 - 0.5 ** (often.get(answer) ?? 0));
  const known = words.filter((word) => index.places.has(word));
  const fit = new Map([...best.keys()].map((answer) => [answer, usual(index.said[answer], known, index.variety)]));
  const most = Math.max(...fit.values());
  const rarest = Math.max(...all.map(({ weight }) => weight));
  const telling = all.filter(({ weight }) => weight >= TELLING * rarest);
  const clear = [...new Set(known)].filter((word) => !index.isSmall(word)).map((word) => term(word, index));
  return [...best].map(([answer, closest]) => {
    const covered = (list) => share(list, ({ most }) => most.get(answer) ?? 0);
    const likeness = (0.4 * closest + 0.35 * many(terms, answer) + 0.2 * covered(terms) + 0.25 * many(joint, answer)) / 1.2;
    const fits = telling.every((one) => one.most.has(answer));
    const met = clear.filter(({ most: by }) => by.has(answer));
    const says = (text) => text.answer === answer && (text.isSubject || [...met, ...joint].filter(({ texts }) => texts.has(text)).length > 1);
    const isAbout = !clear.length || met.some(({ texts }) => [...texts.keys()].some(says));
    return { answer, isAbout, isNear: met.length > 1 || clear.length >= CLEAR, covered: covered(all), fits, score: likeness - USUAL * (most - fit.get(answer)) };
  });
}

// The answers, best first. `alone` says that the first is surely the one; `near`, that one may be.
export function ranked(index, query) {
  const scores = scored(index, query).filter(({ score, isAbout }) => score > 0.1 && isAbout).sort((a, b) => b.score - a.score);
  const [first, second] = scores;
  const best = scores.slice(0, SHOWN).filter(({ score }) => score >= WORTH * first.score);
  const covers = first?.covered >= COVERED;
  if (!covers && !first?.isNear) return { alone: false, near: false, shown: [] };
  const alone = covers && first.fits && first.score >= ALONE && (second?.score ?? 0) <= AHEAD * first.score;
  const near = covers && first.fits;
  return { alone, near, shown: best.map(({ answer }) => answer) };
}
