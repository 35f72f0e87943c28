/** Templates of messages after some turns, and what a plan for them has to hold: data of the controller's exam. */

export interface QuestionTemplate {
  /** Oldest first. */
  readonly turns: readonly string[];
  readonly asked: string;
  /** What the message is about, by its own words or by what they stand for. */
  readonly about: readonly string[];
  readonly route: "mtm" | "ltm";
  /** Words of a time that the message names, and that rules can read; "" for none. */
  readonly time?: string;
}

export const QUESTIONS: readonly QuestionTemplate[] = [
  {
    turns: ["{person} starts at the bakery in {town} next week.", "How exciting for her!"],
    asked: "What did she do before?",
    about: ["{person}"],
    route: "mtm",
  },
  {
    turns: ["We are renaming {project} because of the lawyers.", "Understood."],
    asked: "When did that project begin?",
    about: ["{project}"],
    route: "mtm",
  },
  {
    turns: ["I am thinking of {town} for the long weekend.", "Lovely in autumn."],
    asked: "Where did I stay there last time?",
    about: ["{town}"],
    route: "mtm",
  },
  {
    turns: ["{pet} was at the vet again.", "Poor thing."],
    asked: "What is he not allowed to eat?",
    about: ["{pet}"],
    route: "mtm",
  },
  {
    turns: ["My {vehicle} makes that noise again.", "Have it looked at."],
    asked: "Who repaired it in {month}?",
    about: ["{vehicle}"],
    route: "mtm",
    time: "in {month}",
  },
  {
    turns: ["{person} and {person2} cannot both come.", "Then you must choose."],
    asked: "Which of the two helped me move?",
    about: ["{person}", "{person2}"],
    route: "mtm",
  },
  {
    turns: ["The {instrument} lessons are too expensive.", "Look for a student."],
    asked: "How long have I been taking them?",
    about: ["{instrument}"],
    route: "mtm",
  },
  {
    turns: ["{person} recommended a doctor in {town}.", "Good to know."],
    asked: "What was her name again, and what did he say about her?",
    about: ["{person}", "doctor"],
    route: "mtm",
  },
  {
    turns: ["I found my old {sport} gear.", "Will you start again?"],
    asked: "Why did I give it up last year?",
    about: ["{sport}"],
    route: "mtm",
    time: "last year",
  },
  {
    turns: ["Dinner with {person} is on {weekday}.", "Noted."],
    asked: "Is there anything that guest cannot eat?",
    about: ["{person}"],
    route: "mtm",
  },
  {
    turns: ["Let us talk about {plant}.", "Gladly."],
    asked: "How much water do they need in general?",
    about: ["{plant}"],
    route: "ltm",
  },
  {
    turns: ["I hear {language} everywhere here.", "It is spoken widely."],
    asked: "Is that language hard to learn for most people?",
    about: ["{language}"],
    route: "ltm",
  },
  {
    turns: ["We are having {food} tonight.", "Enjoy!"],
    asked: "Which wine usually goes with that dish?",
    about: ["{food}"],
    route: "ltm",
  },
  {
    turns: ["My niece wants to become a {job}.", "A fine choice."],
    asked: "How long does the training for it usually take?",
    about: ["{job}"],
    route: "ltm",
  },
  {
    turns: ["They say {town} is built on hills.", "It is."],
    asked: "What is that city known for?",
    about: ["{town}"],
    route: "ltm",
  },
  {
    turns: ["A {animal} sat in our garden.", "Really?"],
    asked: "How old does such an animal get as a rule?",
    about: ["{animal}"],
    route: "ltm",
  },
  {
    turns: ["{person} called from the {vehicle}.", "What did she want?"],
    asked: "What did I promise her yesterday?",
    about: ["{person}"],
    route: "mtm",
    time: "yesterday",
  },
  {
    turns: ["The landlord painted the hall {colour}.", "Not my taste."],
    asked: "What did he write to me two weeks ago?",
    about: ["landlord"],
    route: "mtm",
    time: "two weeks ago",
  },
  {
    turns: ["{project} and {project2} share a budget.", "That is tight."],
    asked: "Who leads the second one?",
    about: ["{project2}"],
    route: "mtm",
  },
  {
    turns: ["I met {person} at {sport} on {weekday}.", "Small world."],
    asked: "Have I known him for long?",
    about: ["{person}"],
    route: "mtm",
  },
  {
    turns: ["{person}'s daughter plays the {instrument}.", "How talented."],
    asked: "How old is the girl now?",
    about: ["{person}", "daughter"],
    route: "mtm",
  },
  {
    turns: ["My tutor for {language} cancelled.", "Again?"],
    asked: "What do I owe that teacher since {month}?",
    about: ["tutor"],
    route: "mtm",
    time: "since {month}",
  },
  {
    turns: ["The {plant} came from {person}.", "A nice present."],
    asked: "When is the birthday of the person who gave it to me?",
    about: ["{person}"],
    route: "mtm",
  },
  {
    turns: ["I booked the hotel in {town} for {number} people.", "That is a crowd."],
    asked: "Who of the group does not fly?",
    about: ["{town}"],
    route: "mtm",
  },
];
