/** Light stemming of German, Spanish and French: the endings of inflection, no derivation.
 *
 * After the idea of the light stemmers for European languages (J. Savoy, 2006): a handful of endings, longest first, and a
 * shortest stem, so that a wrong guess of the language does little harm. Input is folded (no accents, lower case). */

export type StemLanguage = "de" | "es" | "fr";

interface Endings {
  readonly endings: readonly string[];
  /** Letters that must remain. */
  readonly minStem: number;
}

const ENDINGS: Readonly<Record<StemLanguage, Endings>> = {
  de: { endings: "innen ern est est en er em es st te et e n s t".split(" "), minStem: 4 },
  es: {
    endings:
      "aciones ciones mente amos emos imos ando iendo aron ieron adas ados idas idos aba ada ado ida ido es os as ar er ir an en a e o s".split(
        " ",
      ),
    minStem: 3,
  },
  fr: { endings: "issement ements ement ations ation aient ait ais ees es ee er ez ent ant s x e".split(" "), minStem: 4 },
};

/** The word without its longest known ending, or as it is when less than the shortest stem would remain. */
export function lightStem(word: string, language: StemLanguage): string {
  const { endings, minStem } = ENDINGS[language];
  for (const ending of endings) {
    if (word.length - ending.length >= minStem && word.endsWith(ending)) return word.slice(0, -ending.length);
  }
  return word;
}
