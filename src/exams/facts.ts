/** Templates of what a person may say in passing, what may be asked about it, and what is merely near: data of the selector's exam.
 *
 * "{a}" is the person asked about, "{b}" the one they talk with. As in real talk some answers share hardly a word with their
 * question, and what is near shares some and answers nothing. */

export interface FactTemplate {
  readonly asked: string;
  /** What {a} says, with words of the question, and without. */
  readonly plain: string;
  readonly oblique: string;
  /** Said by {a} or {b}. */
  readonly near: readonly { readonly by: "a" | "b"; readonly text: string }[];
}

const a = (text: string) => ({ by: "a", text }) as const;
const b = (text: string) => ({ by: "b", text }) as const;

export const FACTS: readonly FactTemplate[] = [
  {
    asked: "What animal does {a} keep?",
    plain: "I keep a {animal} called {pet}, and she woke me at five again.",
    oblique: "{pet} the {animal} woke me at five again, so I gave her breakfast before work.",
    near: [
      a("Keeping an animal in a flat is harder than people think, I read."),
      b("What animal would you keep if you had a farm?"),
      b("My {animal2} {pet2} is fine again."),
    ],
  },
  {
    asked: "Where did {a} grow up?",
    plain: "I grew up in {town} and only left when I turned eighteen.",
    oblique: "All my school years were in {town}, we only left when I turned eighteen.",
    near: [
      a("My tomatoes refuse to grow up straight this year."),
      b("I grew up in {town2}, near the harbour."),
      a("I had a stopover in {town3} last spring."),
    ],
  },
  {
    asked: "Which instrument does {a} play?",
    plain: "I play the {instrument} every evening until the neighbours knock on the wall.",
    oblique: "I rehearsed with my {instrument} until the neighbours knocked on the wall.",
    near: [
      a("Which instrument is the hardest, do you think?"),
      b("My nephew plays the {instrument2} in a band."),
      a("The kids played outside until dinner."),
    ],
  },
  {
    asked: "What does {a} do for a living?",
    plain: "I earn my living as a {job} now, and the early shifts still get me.",
    oblique: "Three years as a {job} now, and the early shifts still get me.",
    near: [
      a("What people do for a living says little about them."),
      b("My brother makes a living as a {job2}."),
      a("The living room finally has curtains."),
    ],
  },
  {
    asked: "When is {a}'s wedding anniversary?",
    plain: "Our wedding was on {number} {month}, so the anniversary comes up again.",
    oblique: "We got married on {number} {month}, in pouring rain.",
    near: [
      a("The anniversary of the shop was a big party."),
      b("Our wedding is planned for {month2}."),
      a("I went to a wedding in {town} and danced all night."),
    ],
  },
  {
    asked: "What is {a} allergic to?",
    plain: "I am allergic to {food}, my throat closes after one bite.",
    oblique: "One bite with {food} in it and my throat closes, so I carry a pen with me.",
    near: [
      a("The clinic has a new allergy department."),
      b("I am allergic to cats, sadly."),
      a("We had {food2} for lunch and it was lovely."),
    ],
  },
  {
    asked: "Which language is {a} learning?",
    plain: "I am learning {language} with a tutor who says my accent improves.",
    oblique: "My {language} tutor says my accent improves, but the grammar is a nightmare.",
    near: [
      a("Learning never stops, my grandmother used to say."),
      b("I would love to learn {language2} one day."),
      a("The language in that film was rather rude."),
    ],
  },
  {
    asked: "What sport does {a} do?",
    plain: "I took up a new sport: after two months of {sport} my shoulders hurt.",
    oblique: "After two months of {sport} my shoulders hurt in places I did not know of.",
    near: [
      a("There is too much sport on television."),
      b("I used to do {sport2} at school."),
      a("I have to do the dishes before we talk."),
    ],
  },
  {
    asked: "What colour did {a} paint the bedroom?",
    plain: "We painted the bedroom {colour} and the smell is nearly gone.",
    oblique: "The walls upstairs are {colour} now and the smell is nearly gone.",
    near: [
      a("I bought a painting for the hall."),
      b("My bedroom is {colour2}, it calms me."),
      a("Paint prices have doubled since {month}."),
    ],
  },
  {
    asked: "Who is {a}'s best friend?",
    plain: "{person} has been my best friend since kindergarten.",
    oblique: "{person} and I have told each other everything since kindergarten.",
    near: [
      a("The best part of the trip was the food."),
      b("My friend {person2} moved away."),
      a("A friend of a friend sells his {vehicle}."),
    ],
  },
  {
    asked: "How old is {a}'s daughter?",
    plain: "My daughter turned seven yesterday and wants a bicycle.",
    oblique: "Our little one blew out seven candles yesterday and wants a bicycle.",
    near: [
      a("The old bridge is closed until {month}."),
      b("My daughter starts university soon."),
      a("How old houses creak at night!"),
    ],
  },
  {
    asked: "What vehicle does {a} own?",
    plain: "My {vehicle} is the only vehicle I own, and it needs new tyres.",
    oblique: "The {vehicle} needs new tyres before we set off on {weekday}.",
    near: [
      a("Owning things makes me nervous."),
      b("I sold my {vehicle2} in {month}."),
      a("An emergency vehicle blocked our street."),
    ],
  },
  {
    asked: "Where does {a} spend the summer holidays?",
    plain: "We spend every summer in the same cabin outside {town} and swim before breakfast.",
    oblique: "Every August we rent the same cabin outside {town} and swim before breakfast.",
    near: [
      a("I spend far too much on coffee."),
      b("We spent the holidays in {town2} this time."),
      a("The summer was too hot for the plants."),
    ],
  },
  {
    asked: "What is the name of the project {a} works on?",
    plain: "The project I work on, {project}, ships in {month}.",
    oblique: "{project} ships in {month} if the tests ever turn green.",
    near: [
      a("A good name for a boat is hard to find."),
      b("My project is called {project2}."),
      a("I worked on the fence all afternoon."),
    ],
  },
  {
    asked: "Why did {a} quit the choir?",
    plain: "I quit the choir because {weekday} evenings clashed with my physiotherapy.",
    oblique: "Singing on {weekday} evenings clashed with my physiotherapy, so I stopped.",
    near: [a("The choir of {town} gave a concert."), b("I quit smoking in {month}."), a("Why do meetings always run late?")],
  },
  {
    asked: "What does {a} grow on the balcony?",
    plain: "I grow {plant} on the balcony and water them twice a day.",
    oblique: "The {plant} took over the whole railing, I water them twice a day.",
    near: [
      a("The balcony door does not close properly."),
      b("I grow {plant2} in the kitchen."),
      a("Prices grow faster than wages."),
    ],
  },
  {
    asked: "How many people work in {a}'s team?",
    plain: "There are {number} people in my team since {month}.",
    oblique: "With the two who joined in {month} there are {number} of us in the department.",
    near: [a("So many people were at the market."), b("Our team is six people strong."), a("The team from {town} won again.")],
  },
  {
    asked: "What did {a} study?",
    plain: "I studied {language} literature and never got a job with it.",
    oblique: "My degree in {language} literature never got me a job, but I regret nothing.",
    near: [
      a("A study says that naps are healthy."),
      b("I studied chemistry in {town}."),
      a("I turned the study into a guest room."),
    ],
  },
  {
    asked: "What dish does {a} cook best?",
    plain: "The dish I cook best is {food}, everybody asks for the recipe.",
    oblique: "Nobody leaves my table without asking for the {food} recipe.",
    near: [a("The dishwasher broke again."), b("My best dish is {food2}."), a("The cook at the canteen retired.")],
  },
  {
    asked: "Which day does {a} have therapy?",
    plain: "My therapy is on {weekday} mornings, so I come in at noon.",
    oblique: "On {weekday} mornings I see my counsellor, so I come in at noon.",
    near: [
      a("One of these days I will tidy the garage."),
      b("My therapy is on {weekday2}."),
      a("Which day is the bin collected?"),
    ],
  },
  {
    asked: "What is {a} afraid of?",
    plain: "I am so afraid of lifts that I take the stairs to the ninth floor.",
    oblique: "I take the stairs to the ninth floor rather than step into a lift.",
    near: [a("I am afraid the shop is closed already."), b("I am afraid of spiders."), a("Do not be afraid to ask.")],
  },
  {
    asked: "What does {a} collect?",
    plain: "I collect old postcards, four hundred and counting.",
    oblique: "The attic is full of my old postcards, four hundred and counting.",
    near: [
      a("I have to collect a parcel on {weekday}."),
      b("I collect stamps from {town}."),
      a("They collect the glass in {month}."),
    ],
  },
  {
    asked: "Where does {a}'s sister live?",
    plain: "My sister {person} lives in {town} now with her husband.",
    oblique: "{person} and her husband bought a flat in {town}, so I have a bed there now.",
    near: [
      a("The sister ship of that ferry sank."),
      b("My sister lives in {town2}."),
      a("Live music every {weekday}, what a joy."),
    ],
  },
  {
    asked: "What did {a} get as a birthday present?",
    plain: "For my birthday they gave me a {vehicle}, what a present.",
    oblique: "They gave me a {vehicle} for turning {number}, I nearly cried.",
    near: [a("Get well soon, I wrote to the caretaker."), b("I got a book as a present."), a("At present the office is empty.")],
  },
  {
    asked: "What medicine does {a} take?",
    plain: "My doctor gave me a new medicine, a beta blocker for every evening.",
    oblique: "I swallow my beta blocker every evening and my pulse behaves.",
    near: [a("I take the bus at seven."), b("My medicine makes me sleepy."), a("Laughter is the best medicine, they say.")],
  },
  {
    asked: "Who did {a} meet at the conference?",
    plain: "At the conference in {town} I finally met {person}, whose papers I have read for years.",
    oblique: "In {town} I finally shook hands with {person}, whose papers I have read for years.",
    near: [a("The conference room is too small."), b("I met {person2} at the station."), a("Let us meet at the fountain.")],
  },
];
