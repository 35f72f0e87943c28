import { describe, expect, it } from "vitest";
import { hasPlaceholder, looksLikePerson, UserIds } from "../../src/ltm/identity-marks.js";
import { isOfOnePerson } from "../../src/ltm/one-person.js";

const isRefused = (text: string): boolean => hasPlaceholder(text) || looksLikePerson(text) || isOfOnePerson(text);

describe("what is said of one person or one day", () => {
  it.each([
    "placeholder PERSON_k3vq7d2a drinks",
    "[person_k3vq7d2a] drinks",
    "[PERSON] drinks",
    "The speaker has cancer",
    "Speaker B has two dogs",
    "They moved to Berlin in March",
    "She likes tea",
    "s\u200Bhe likes tea",
    "the dog of one of us",
    "somebody fell",
    "A man died in Rome",
    "A person named Priya drinks tea",
    "This person's sister is ill",
    "Rebecca Stone drinks tea",
    "Narendra Modi plays",
    "what Rebecca Stone's dog eats",
    "Dr. Raman treats knees",
    "er trinkt Tee",
    "sie hat einen Hund",
    "Nachts trinkt er Tee",
    "Wenn er trinkt, schläft er gut",
    "wir wohnen in Bonn",
    "Ihr Hund bellt",
    "ella tiene un perro",
    "nosotros vivimos en Bonn",
    "Tengo un perro",
    "Su hermano vive en Madrid",
    "他喜欢茶",
    "她有一只狗",
    "我们住在波恩",
    "说话者有两只猫",
  ])("is found in “%s”", (text) => {
    expect(isRefused(text)).toBe(true);
  });

  it.each([
    "A wedding on Monday in Rome",
    "The wedding is on Monday",
    "on 8 May somebody fell",
    "May 8th, a car crash",
    "the 8th of May",
    "A party was held in May",
    "three weeks ago a knee broke",
    "the other day a window broke",
    "this morning a bus was late",
    "on Christmas Eve 1999",
    "spilt on 3.5.2023",
    "am 3. Mai brach ein Knie",
    "am Montag eine Hochzeit",
    "vor drei Wochen brach ein Knie",
    "letzte Woche regnete es",
    "hace dos días",
    "el año pasado",
    "el lunes una boda",
    "三周前膝盖骨折",
    "上周下雨",
    "5月8日下雨",
  ])("is found in “%s”, which happened once", (text) => {
    expect(isOfOnePerson(text)).toBe(true);
  });

  it.each([
    "Oktoberfest takes place in Munich",
    "Tulips bloom in spring",
    "Tulips planted in October bloom in April",
    "The school year starts in September",
    "Many people travel in July and August",
    "Green tea steeps for 3-5 minutes",
    "Adults need about 2000 calories a day",
    "Thanksgiving is a US holiday",
    "Christmas is celebrated on 25 December",
    "Shops in Germany are closed on Sunday",
    "Dinosaurs lived millions of years ago",
    "World War I began in Europe",
    "A coal mine is a place where coal is dug",
    "Vitamin D comes from the sun",
    "Cats purr when they are happy",
    "New York is a city in the United States",
    "The Great Barrier Reef is in Australia",
    "Real Madrid plays football",
    "Mount Everest is the highest mountain",
    "Costa Rica grows coffee",
    "A user interface shows buttons",
    "A dental assistant helps a dentist",
    "Sourdough bread needs a starter",
    "Das Oktoberfest findet in München statt",
    "Weihnachten ist am 25. Dezember",
    "Kaffee am Morgen macht wach",
    "Tee beruhigt, wenn er heiß ist",
    "Katzen lieben ihre Ruhe",
    "Los gatos lamen su pelo",
    "El café por la mañana despierta",
    "Las tiendas cierran el domingo",
    "二胡是一种乐器",
    "吉他有六根弦",
    "维他命对身体好",
    "其他水果也很甜",
    "郁金香在四月开花",
  ])("is not found in “%s”, which is known of things", (text) => {
    expect(isRefused(text)).toBe(false);
  });
});

describe("the id of a user", () => {
  const ids = new UserIds(["walter77@corp", "of", "x"]);
  it.each(["walter77@corp drinks tea", "what WALTER77 drinks", "walter77 @ corp", "walter\u200B77", btoa("for walter77@corp")])(
    "is found in “%s”",
    (text) => {
      expect(ids.isIn(text)).toBe(true);
    },
  );

  it.each(["a corp of tea", "walter drinks tea", "x is a letter", "77 sorts of tea"])("is not found in “%s”", (text) => {
    expect(ids.isIn(text)).toBe(false);
  });

  it("is found nowhere where none is told", () => {
    expect(new UserIds([]).isIn("walter77@corp drinks tea")).toBe(false);
  });
});
