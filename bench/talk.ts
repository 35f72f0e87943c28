/** What is said in a memory of many entries, made of parts. */

const SUBJECTS = ["sister", "brother", "landlord", "dentist", "neighbour", "manager", "teacher", "cousin", "trainer", "plumber"];
const VERBS = ["bought", "repaired", "painted", "sold", "found", "visited", "planned", "cancelled", "borrowed", "finished"];
const THINGS = [
  "bicycle",
  "guitar",
  "kitchen shelf",
  "garden fence",
  "camera",
  "novel",
  "canoe",
  "winter coat",
  "coffee machine",
  "telescope",
];
const PLACES = ["Lisbon", "Ghent", "Turin", "Bergen", "Leipzig", "Porto", "Krakow", "Malmo", "Graz", "Utrecht"];
const TAILS = [
  "It took the whole weekend.",
  "I was happy with how it turned out.",
  "We want to do it again next summer.",
  "It cost more than I had expected.",
];

export function turn(random: () => number): string {
  const word = syllables(random);
  const first = `My ${pick(SUBJECTS, random)} ${pick(VERBS, random)} the ${word} ${pick(THINGS, random)} in ${pick(PLACES, random)} for ${Math.floor(random() * 900)} euros.`;
  return random() < 0.5 ? `${first} ${pick(TAILS, random)}` : first;
}

export function question(random: () => number): string {
  return `What did my ${pick(SUBJECTS, random)} do with the ${pick(THINGS, random)} in ${pick(PLACES, random)}?`;
}

/** A memory of this size holds thousands of distinct words; a handful of templates alone would not. */
function syllables(random: () => number): string {
  return Array.from({ length: 3 }, () =>
    pick(["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu", "cha", "ple"], random),
  ).join("");
}

function pick<T>(from: readonly T[], random: () => number): T {
  return from[Math.floor(random() * from.length)] as T;
}
