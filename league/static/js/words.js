// Words as the searches on a page compare them.

// l’atout and d’atout are atout.
const ELISION = /(^|[^\p{L}\p{N}])(?:qu|[cdjlmnst])['’](?=\p{L})/gu;

// Farmer's hand, farmers hand; every word begins after a space, and a % is one.
// Without accents: regle is règle.
export const plain = (text) => ` ${text.toLowerCase().replace(ELISION, "$1").normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/['’]/g, "").replace(/ß/g, "ss").replace(/[^\p{L}\p{N}\p{M}%]+/gu, " ")}`;

// The word itself; one of five letters or more also with one of them wrong, left out, put in or swapped:
// long is not lone.
export function mistyped(word) {
  const letters = [...word];
  const forms = letters.flatMap((letter, index) => {
    const [head, tail] = [letters.slice(0, index).join(""), letters.slice(index + 1)];
    const rest = tail.join("");
    return [`${head}\\p{L}?${rest}`, `${head}\\p{L}${letter}${rest}`, `${head}${tail[0] ?? ""}${letter}${tail.slice(1).join("")}`];
  });
  return new RegExp(` (?:${(letters.length > 4 ? forms : [word]).join("|")})`, "u");
}
