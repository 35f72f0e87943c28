/** Templates of what a person says to an assistant, with the part that has to be kept: data of the writer's exam. */

export interface TellingTemplate {
  readonly said: string;
  readonly reply: string;
  /** Words that must still stand in what is shown. */
  readonly kept: readonly string[];
}

export const TELLINGS: readonly TellingTemplate[] = [
  {
    said: "It rained all day here. I moved to {town} in {month}. The boxes are still everywhere and I cannot find my kettle.",
    reply: "Welcome to your new home!",
    kept: ["{town}", "{month}"],
  },
  {
    said: "I have been thinking about the garden lately. {person} from next door lends me her tools. She is allergic to {food}, so I must not bring any.",
    reply: "Kind of her.",
    kept: ["{food}"],
  },
  {
    said: "The week was long and I slept badly. My new job as a {job} starts on {weekday}. I hope that the colleagues are nice.",
    reply: "Good luck!",
    kept: ["{job}", "{weekday}"],
  },
  {
    said: "You know how I like animals. We adopted a {animal} and called it {pet}. It chews on everything that I own.",
    reply: "Congratulations!",
    kept: ["{animal}", "{pet}"],
  },
  {
    said: "I was in a hurry this morning. My train was late. My locker at the gym is number {number} and I always forget it. Anyway, coffee helped.",
    reply: "I see.",
    kept: ["{number}"],
  },
  {
    said: "I talked to my sister for hours. {person} is getting married in {town}. I have nothing to wear yet, as always.",
    reply: "How lovely!",
    kept: ["{person}", "{town}"],
  },
  {
    said: "Work was fine today. I gave up {sport} because of my knee. The doctor was very patient with me.",
    reply: "Take care.",
    kept: ["{sport}", "knee"],
  },
  {
    said: "I tidied up the whole flat. I do not eat {food} any more. My brother laughed at me for it.",
    reply: "Your choice.",
    kept: ["{food}", "not"],
  },
  {
    said: "The concert was wonderful and loud. I decided to learn the {instrument}. There is a shop around the corner that rents them.",
    reply: "Great idea!",
    kept: ["{instrument}"],
  },
  {
    said: "My phone is nearly empty. {person}'s birthday is on {number} {month}. I should really write such things down.",
    reply: "Now it is written.",
    kept: ["{number}", "{month}"],
  },
  {
    said: "I have mixed feelings about it. We cancelled {project}. Nobody in the team was surprised, to be honest.",
    reply: "That must be hard.",
    kept: ["{project}", "cancelled"],
  },
  {
    said: "The market was crowded as ever. I prefer {colour} to every other colour. I bought three scarves again.",
    reply: "Nice!",
    kept: ["{colour}"],
  },
  {
    said: "My neighbour plays music at night. I see my counsellor every {weekday} at nine. It helps me more than I thought.",
    reply: "I am glad.",
    kept: ["{weekday}", "nine"],
  },
  {
    said: "I am a bit tired today. I sold the {vehicle} to a student from {town}. He paid in coins, believe it or not.",
    reply: "Ha!",
    kept: ["{vehicle}"],
  },
  {
    said: "I watched a film about the sea. My grandfather spoke {language} with us at home. I miss his stories a lot.",
    reply: "What a memory.",
    kept: ["{language}", "grandfather"],
  },
  {
    said: "We had guests until midnight. My rent went up to 9{number} euros. I wonder whether I can stay here.",
    reply: "That is a lot.",
    kept: ["9{number}"],
  },
  {
    said: "It was a quiet weekend for once. {person} and I broke up in {month}. I am doing better than I feared.",
    reply: "I am sorry.",
    kept: ["{person}", "{month}"],
  },
  {
    said: "I finally cleaned the windows. My blood pressure pills are the small {colour} ones. The chemist explained it twice.",
    reply: "Good to know.",
    kept: ["{colour}", "pills"],
  },
  {
    said: "The bus took a detour this time. I want to visit {town} in {month} with my mother. She has never seen the sea there.",
    reply: "She will love it.",
    kept: ["{town}", "{month}"],
  },
  {
    said: "I spilled tea on my desk. Our office dog {pet} bites men with hats. I warned the courier too late.",
    reply: "Oh no!",
    kept: ["{pet}", "hats"],
  },
  {
    said: "I am not a morning person. I volunteer at the {town} shelter on {weekday}s. They need blankets, by the way.",
    reply: "How good of you.",
    kept: ["shelter", "{weekday}"],
  },
  {
    said: "I had soup for lunch. My passport expires in {month}. I ought to book the appointment.",
    reply: "Do it soon.",
    kept: ["passport", "{month}"],
  },
  {
    said: "They are building again outside. I no longer work with {person}. We just had different ideas.",
    reply: "It happens.",
    kept: ["{person}", "no longer"],
  },
  {
    said: "The library was closed. My son is in class {number} at the school by the river. He hates the uniform.",
    reply: "Poor boy.",
    kept: ["{number}", "school"],
  },
];
