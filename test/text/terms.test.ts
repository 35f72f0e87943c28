/** Terms: what a text is indexed and found by. */

import { describe, expect, it } from "vitest";
import { analyseTerms, fold, MAX_INDEXED_LENGTH, termsOf, wordsOf } from "../../src/text/terms.js";

const shares = (a: string, b: string): string[] => termsOf(a).filter((term) => termsOf(b).includes(term));

describe("folding", () => {
  it("makes composed and decomposed spellings of a name equal", () => {
    expect(fold("رأفت")).toBe(fold("رأفت"));
    expect(fold("Café")).toBe("cafe");
    expect(fold("Café")).toBe("cafe");
  });
  it("drops Arabic and Hebrew vowel marks", () => {
    expect(fold("نَجَّارًا")).toBe(fold("نجارا"));
    expect(fold("שָׁלוֹם")).toBe("שלום");
  });
  it("resolves letters that Unicode leaves whole, and digits of other scripts", () => {
    expect(fold("Straße Łódź smørrebrød")).toBe("strasse lodz smorrebrod");
    expect(fold("٣١٠٧")).toBe("3107");
    expect(fold("१२३")).toBe("123");
  });
  it("keeps the marks that Japanese and Korean letters are made of", () => {
    expect(fold("がく")).toBe("がく");
    expect(fold("한국어")).toBe("한국어");
  });
});

describe("English", () => {
  it("drops function words but keeps negation and preference", () => {
    expect(termsOf("I would never do that, I do not like it and want no more")).toEqual(["never", "not", "like", "want", "no"]);
  });
  it("takes clitics off and keeps the not in them", () => {
    expect(wordsOf("Ann’s dog didn't bark, she'll see")).toEqual(["ann", "dog", "did", "not", "bark", "she", "see"]);
  });
  it("finds a word in its other forms", () => {
    expect(shares("She was painting sunsets", "Which sunset did she paint?")).toEqual(["paint", "sunset"]);
  });
  it("finds a verb by its irregular past", () => {
    expect(shares("I bought a kayak and went home", "What did I buy, where did I go?")).toEqual([
      ...termsOf("buy"),
      ...termsOf("go"),
    ]);
  });
  it("gives the plain words once, unstemmed", () => {
    expect(analyseTerms("Pottery and more pottery classes").words).toEqual(["pottery", "classes"]);
  });
});

describe("codes", () => {
  it.each(["KX-40718", "d90f3a17-62b8", "v3.17", "ann@example.com", "user_id", "07:40", "2027-01-31", "C++", "C#"])(
    "keeps %s whole",
    (code) => {
      expect(termsOf(`It is ${code}, they say`)).toContain(code.toLowerCase());
    },
  );
  it("tells codes apart that differ in one digit", () => {
    expect(shares("KX-40718", "KX-40781")).toEqual(["kx"]);
  });
  it("does not take a number with separators apart", () => {
    expect(termsOf("1,200 euros")).toEqual(["1200", "euro"]);
  });
  it("takes no ordinary compound for a code", () => {
    expect(termsOf("self-care")).toEqual(["self", "care"]);
  });
});

describe("languages without spaces", () => {
  it("finds words inside a Chinese sentence", () => {
    expect(shares("我上个月在青岛报了帆船初级班，教练姓邵", "帆船班的教练姓什么？")).toEqual(
      expect.arrayContaining(["帆船", "教练"]),
    );
  });
  it("finds a word of one character", () => {
    expect(shares("我养了一只猫", "猫叫什么")).toContain("猫");
  });
  it("shares nothing by particles alone", () => {
    expect(shares("我的", "你的")).toEqual([]);
  });
  it("cuts Latin names and numbers out of other scripts", () => {
    expect(termsOf("Grafana는 포트 3107이야")).toEqual(expect.arrayContaining(["grafana", "3107", "포트"]));
    expect(termsOf("我用Python写")).toContain("python");
  });
  it("indexes Thai and Japanese by pairs of characters", () => {
    expect(shares("แมวของฉันชื่อส้ม", "แมว").length).toBeGreaterThan(0);
    expect(shares("東京タワーに行った", "タワーは？").length).toBeGreaterThan(0);
  });
});

describe("other languages", () => {
  it("finds a Korean noun with and without its particle", () => {
    expect(shares("거실에서 책을 읽었다", "책은 거실에?")).toEqual(expect.arrayContaining(["책", "거실"]));
  });
  it("finds German, Spanish and French words in their other forms", () => {
    expect(shares("Ich wohne seit Mai in der neuen Wohnung", "Wo ist die neue Wohnung?")).toEqual(
      expect.arrayContaining(["neu", "wohnung"].map((word) => expect.stringContaining(word.slice(0, 3)) as unknown)),
    );
    expect(shares("Me gustan los gatos de mi hermana", "¿Cuántos gatos tiene la hermana?")).toEqual(["gat", "herman"]);
    expect(shares("J'ai acheté des chaussures rouges", "Quelle chaussure est rouge ?").length).toBe(2);
  });
  it("does not search by the function words of the language spoken", () => {
    expect(termsOf("Was ist das für eine Blume?")).toEqual([termsOf("Blume? die der das")[0]]);
  });
});

describe("bad input", () => {
  it("gives nothing for what holds no word", () => {
    for (const text of ["", "   ", "🎉🎉", "?!…", "\u0000", "\ud800"]) expect(termsOf(text)).toEqual([]);
  });
  it("reads no further than its limit", () => {
    expect(termsOf(`${"word ".repeat(MAX_INDEXED_LENGTH)}zebra`)).not.toContain("zebra");
  });
});
