/** The exam of SLM-2: questions to a small memory, in which the memory that answers stands among others that share its words. */

import type { Random, Selector, SlmEngine } from "../ports.js";
import { GeneratingSelector, LikelihoodSelector } from "../retrieve/slm-selector.js";
import { StructuredAsker } from "../slm/structured/ask.js";
import type { FormTrial } from "../types.js";
import { FACTS } from "./facts.js";
import { filler, shuffled } from "./seeded.js";
import { type TrialParts, tryForm } from "./trial.js";
import { decksOf } from "./words.js";
import { type Said, World, type WorldParts } from "./world.js";

export interface SelectorItem {
  readonly asked: string;
  /** The one memory that answers. */
  readonly answer: string;
}

/** Shares of the likelihood that are tried; the rest is lite's, which knows of people and times. */
const WEIGHTS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8] as const;
/** One answer of so many shares no word with its question: lite then does about as well as on real talk. */
const OBLIQUE = 3;
const PAIRS = 2;
/** Places that a recall surely shows. */
const SURE = 5;

export function selectorItems(random: Random): { readonly talk: readonly Said[]; readonly items: readonly SelectorItem[] } {
  const decks = decksOf(random);
  const items: SelectorItem[] = [];
  const talk: Said[] = [];
  // Two pairs of people: who is asked about matters as much as what.
  for (let pair = 0; pair < PAIRS; pair++) {
    const people = [decks.person?.next() ?? "Ada", decks.person?.next() ?? "Ben"] as const;
    for (const [at, { asked, plain, oblique, near }] of shuffled(FACTS, random).entries()) {
      const [a, b] = random() < 0.5 ? people : [people[1], people[0]];
      const fill = filler(decks, { a, b });
      const answer = fill(at % OBLIQUE === 0 ? oblique : plain);
      items.push({ asked: fill(asked), answer });
      talk.push({ by: a, text: answer }, ...near.map(({ by, text }) => ({ by: by === "a" ? a : b, text: fill(text) })));
    }
  }
  return { talk: shuffled(talk, random), items: shuffled(items, random) };
}

/** Half for being shown for sure, half for the place of the answer (its reciprocal); nothing for being shown by showing much. */
function scoreOf(found: readonly string[], { answer }: SelectorItem): number {
  const rank = found.indexOf(answer) + 1;
  return rank === 0 || rank > SURE ? 0 : 0.5 + 0.5 / rank;
}

export async function trySelector(
  engine: SlmEngine,
  random: Random,
  world: WorldParts,
  parts: TrialParts,
): Promise<readonly FormTrial[]> {
  const { talk, items } = selectorItems(random);
  const memory = await World.of(talk, world, parts);
  const ask = (item: SelectorItem, selector?: Selector) => memory.ask(item.asked, selector, parts);
  const lite = async (item: SelectorItem) => scoreOf(await ask(item), item);
  try {
    const trials: FormTrial[] = [];
    if (engine.score) {
      const remembering = remembered(engine);
      const forms = WEIGHTS.map((weight) => new LikelihoodSelector(remembering, memory.lite, weight));
      const play = async (item: SelectorItem) => {
        const models: number[] = [];
        for (const form of forms) models.push(scoreOf(await ask(item, form), item));
        return { lite: await lite(item), models };
      };
      trials.push(await tryForm("likelihood", items, play, lite, parts, WEIGHTS));
    }
    const form = new GeneratingSelector(new StructuredAsker(engine));
    const play = async (item: SelectorItem) => ({ lite: await lite(item), models: [scoreOf(await ask(item, form), item)] });
    trials.push(await tryForm("generate", items, play, lite, parts));
    return trials;
  } finally {
    memory.close();
  }
}

/** Scores each text once, whatever the weight that asks for it. */
function remembered(engine: SlmEngine): SlmEngine {
  const known = new Map<string, ReturnType<NonNullable<SlmEngine["score"]>>>();
  return {
    ...engine,
    score: (prompt, continuations, options) => {
      const key = JSON.stringify([prompt, continuations]);
      const scores =
        known.get(key) ?? (engine.score?.(prompt, continuations, options) as ReturnType<NonNullable<SlmEngine["score"]>>);
      known.set(key, scores);
      return scores;
    },
  };
}
