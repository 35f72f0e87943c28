/** Words that exam items are made of: first names, places and things that belong to nobody. */

import type { Random } from "../ports.js";
import { Deck } from "./seeded.js";

const LISTS = {
  person:
    "Ada Bruno Carla Dario Edda Farid Greta Hassan Ines Jonas Keiko Lars Mira Noor Oskar Petra Ravi Sofia Tomas Uma Viktor Yara",
  town: "Aveiro Bergen Cork Delft Evora Ghent Innsbruck Kaunas Leeds Malmo Nantes Oulu Porto Riga Siena Turku Vigo Zadar",
  animal: "beagle tortoise parrot hamster whippet ferret cockatiel tabby",
  pet: "Biscuit Pepper Momo Ziggy Olive Waffles Juno Pickle",
  food: "lentils dumplings risotto falafel pierogi ramen moussaka tamales",
  instrument: "cello trombone accordion clarinet banjo oboe",
  job: "nurse welder librarian surveyor baker pharmacist",
  sport: "rowing fencing bouldering badminton judo archery",
  colour: "turquoise maroon mustard violet olive crimson",
  month: "January February March April June July September October November",
  weekday: "Monday Tuesday Wednesday Thursday Friday Saturday",
  number: "14 17 23 26 31 38 42 47",
  language: "Danish Korean Basque Turkish Finnish Swahili",
  project: "Falcon Heron Lantern Quartz Meridian Saffron",
  plant: "basil orchids tomatoes ferns lavender bonsai",
  vehicle: "scooter caravan tandem kayak van moped",
} as const;

export type Decks = Readonly<Record<string, Deck>>;

export function decksOf(random: Random): Decks {
  return Object.fromEntries(Object.entries(LISTS).map(([name, words]) => [name, new Deck(words.split(" "), random)]));
}
