/** The sample conversation of the demo: a person in Hamburg and their assistant, March to June 2025, and what to ask of it. Data. */

export interface SampleSession {
  readonly id: string;
  /** Local time of the first message, without a zone: the dates read the same wherever the page is opened. */
  readonly startsAt: string;
  readonly exchanges: readonly (readonly [user: string, assistant: string])[];
}

export interface SampleQuestion {
  readonly question: string;
  /** Occurs in the memory that must come first, character for character. */
  readonly expects: string;
  /** What makes the question more than a search for its words. */
  readonly tests: string;
}

export const SAMPLE_SESSIONS: readonly SampleSession[] = [
  {
    id: "hello",
    startsAt: "2025-03-03T19:40",
    exchanges: [
      [
        "Hi! I thought I'd keep a kind of diary with you. I talk too much and then forget half of it.",
        "That works. Tell me whatever you like, and ask me for it when you need it back.",
      ],
      [
        "So, the basics: I'm a map designer at Nordlicht, a small studio in Hamburg, been there for almost six years.",
        "Six years is a good stretch. What kind of maps?",
      ],
      [
        "Hiking maps, mostly. Right now it's a fold-out of the Harz and I've been drawing contour lines until my eyes cross.",
        "The Harz sounds dense. Is there a deadline?",
      ],
      [
        "It goes to print on the 28th of March. My boss Henrike already looks nervous.",
        "Then I wish you steady hands until the 28th.",
      ],
      [
        "Oh, and I live with a cat. She's called Mogli, grey, eleven years old, afraid of the dishwasher.",
        "Mogli against the dishwasher. I know who I'm betting on.",
      ],
    ],
  },
  {
    id: "bike",
    startsAt: "2025-03-11T20:15",
    exchanges: [
      [
        "I finally bought the gravel bike yesterday! Second-hand, from the shop in Altona, 1,180 euros with lights and mudguards.",
        "Congratulations! Is it for the commute or for longer rides?",
      ],
      [
        "Both. Mainly because my knee complains when I run on asphalt every day.",
        "Then the bike is good news for the knee, too.",
      ],
      [
        "I can't stop running altogether though, I've signed up for the half marathon in Lübeck on the 11th of May.",
        "Two months is enough if you build up slowly.",
      ],
      [
        "How long should the longest run be before a half?",
        "Most plans peak at 16 to 18 kilometres, about two weeks before the race.",
      ],
      [
        "Before I lose the paper: the frame number of the bike is WG-4417-0932. The insurance wants it.",
        "I have it: WG-4417-0932.",
      ],
    ],
  },
  {
    id: "jana",
    startsAt: "2025-03-22T11:05",
    exchanges: [
      [
        "Big news, my sister Jana is getting married! She rang at seven in the morning, I thought somebody had died.",
        "What a way to be woken up. Do they have a date?",
      ],
      [
        "The wedding is on the 14th of June, in the garden of our grandparents' house near Plön.",
        "A garden in June, that could be lovely.",
      ],
      [
        "She wants me to do the seating plan and to give a speech. The speech terrifies me.",
        "Three minutes and one good story are plenty.",
      ],
      [
        "There is the one where she sold our neighbour's garden gnomes back to him. That has to go in.",
        "That one deserves an audience.",
      ],
      [
        "Her friends and I are planning fireworks on the lake, and she must not know. Our codeword is marzipan: if I write marzipan, I mean the fireworks.",
        "Understood. I like marzipan already.",
      ],
    ],
  },
  {
    id: "flat",
    startsAt: "2025-04-06T16:30",
    exchanges: [
      [
        "We got the flat!! Three rooms in Ottensen, second floor, and the landlady likes cats.",
        "Mogli must be relieved. When do you get the keys?",
      ],
      [
        "I'm moving on Saturday the 26th. The rent is 1,340 euros a month with heating, which hurts a little.",
        "Twenty days for the boxes, then.",
      ],
      [
        "My address until then is still the shoebox at Wendenstraße 31, with the lorries all night.",
        "Three more weeks of lorries. You'll manage.",
      ],
      [
        "Second thing: Lisbon! I've booked the flights with Tomás, 16 to 20 May, so right after the race. The booking code is K7QW2N.",
        "Lovely. Does Tomás know the city?",
      ],
      [
        "He grew up there. He wants to show me a place with grilled sardines in Alfama, the one with the blue door.",
        "A guide who knows the blue doors is worth a lot.",
      ],
    ],
  },
  {
    id: "walnut",
    startsAt: "2025-04-17T21:10",
    exchanges: [
      [
        "Ugh. I spent Tuesday evening in the emergency room. I had a piece of cake at Henrike's birthday and my lips swelled up.",
        "That sounds frightening. Are you all right now?",
      ],
      [
        "Yes. The doctor says I'm allergic to walnuts, so no walnuts ever again and I carry an EpiPen.",
        "I'll think of it whenever we talk about food.",
      ],
      [
        "They do the full allergy test next Friday at 8:30, at Dr. Brandt's practice.",
        "Ask there about pecans as well, they're close relatives.",
      ],
      [
        "The Harz map is printed, by the way. There is one typo in the legend and I'm the only person who will ever see it.",
        "A map without one would be suspicious.",
      ],
      [
        "What could I bring to an Easter brunch? We're seven people.",
        "A braided yeast loaf with raisins would do, and it needs no nuts.",
      ],
    ],
  },
  {
    id: "moved",
    startsAt: "2025-04-27T18:45",
    exchanges: [
      [
        "We did it, I moved house yesterday! Four friends, one van, and the washing machine only fell once.",
        "Only once is a good result. How does the new place feel?",
      ],
      ["Big. The new address is Keplerstraße 22, 22763 Hamburg. The bell still says Petersen.", "Welcome to Keplerstraße."],
      [
        "Für die Akten auf Deutsch: Der Zählerstand beim Einzug war 48213 kWh, die Zählernummer ist 1EMH0097.",
        "Ist notiert, falls der Versorger fragt.",
      ],
      [
        "Mogli hid in the bathtub for nine hours but ate half a tin tonight, so she'll live.",
        "Bathtubs are a classic. Give her a few days.",
      ],
      [
        "They say the internet comes on the 6th of May. Until then I'm on my phone's hotspot.",
        "Then I'll keep my answers short.",
      ],
    ],
  },
  {
    id: "notice",
    startsAt: "2025-05-05T19:20",
    exchanges: [
      ["Confession: I handed in my notice at Nordlicht on Friday.", "That's a big step after six years. What comes next?"],
      [
        "I'm starting a new job at Klarpuls on the 1st of July. They make software for hospitals and need someone for all their charts.",
        "From mountains to heartbeats. Both have peaks.",
      ],
      [
        "And I've turned vegetarian. Since the first of May no meat and no fish. It was a documentary, and a bit Tomás.",
        "Good to know. How is it going so far?",
      ],
      ["Easier than I thought, except that Tomás will have to eat my sardines.", "He'll bear it bravely."],
      [
        "The knee is fine again. I ran 17 km along the Elbe yesterday and could still talk afterwards.",
        "Then you're ready for Sunday.",
      ],
    ],
  },
  {
    id: "race",
    startsAt: "2025-05-13T20:05",
    exchanges: [
      [
        "I finished the half marathon on Sunday! 2:04:31, with headwind all along the canal. I had hoped for two ten.",
        "Five minutes better than hoped, against the wind. Congratulations!",
      ],
      [
        "Now I'm packing for Lisbon. The airline moved our return flight to Wednesday the 21st. The booking code is M3TD8P now, the old one is void.",
        "One day more in Lisbon, there are worse changes.",
      ],
      ["我开始学中文了,每周三晚上上课,老师姓李。", "加油!第一课学了什么?"],
      ["学了怎么点菜。我已经会说“不要肉”了。", "很实用,特别是旅行的时候。"],
      [
        "While we're away, Emil from downstairs feeds the cat. He gets the key on Thursday.",
        "Does he know about the dishwasher?",
      ],
    ],
  },
  {
    id: "lisbon",
    startsAt: "2025-05-30T22:00",
    exchanges: [
      [
        "Lisbon was wonderful. We rode tram 28 twice, and I left my reading glasses in the guesthouse.",
        "A good reason to go back, or to write them a letter.",
      ],
      [
        "Tomás proposed. Not marriage, calm down, a second trip: Porto in October.",
        "You had me for a second. Porto in October sounds good.",
      ],
      [
        "Trouble with my sister's wedding: the caterer was double-booked, so the wedding is now on the 28th of June. Same garden.",
        "Two weeks more for the speech, at least.",
      ],
      [
        "And Jana's friends think that she has read the old chat, so we changed the codeword. It's lighthouse now.",
        "Farewell, marzipan.",
      ],
      [
        "I have to send the seating plan by Sunday. 64 people, and aunt Gerda can't sit next to the brass band.",
        "Put aunt Gerda next to somebody who listens well.",
      ],
    ],
  },
  {
    id: "vet",
    startsAt: "2025-06-11T19:00",
    exchanges: [
      [
        "I was at the vet with Mogli this morning. It's her thyroid, she gets half a tablet twice a day, with food.",
        "Poor Mogli. That's usually easy to treat.",
      ],
      ["The bill was 214 euros, and she bit the assistant, so I went back with chocolates.", "Diplomacy on behalf of a cat."],
      [
        "The old landlord has finally paid back my deposit, 1,950 euros, after six weeks of excuses.",
        "Better late than never. Anything planned with it?",
      ],
      ["Maybe I'll take a week off at the end of June and cycle to Denmark. Not decided.", "You have the bike for it."],
      ["Do you think the Ox Road is all right for gravel tyres?", "Mostly yes. Some stretches are sandy after a dry spring."],
    ],
  },
  {
    id: "married",
    startsAt: "2025-06-29T12:30",
    exchanges: [
      [
        "They're married! Yesterday was perfect, the rain stopped ten minutes before the vows.",
        "What timing. How was your speech?",
      ],
      ["Four minutes, and the garden gnomes got the biggest laugh. Grandma cried.", "Then every minute was well spent."],
      ["The fireworks went up at eleven and Jana had no idea at all.", "Three months of secrecy, well kept."],
      [
        "On Tuesday I have to be at Klarpuls at nine, Mönckebergstraße 9, third floor, and ask for Ruth.",
        "Have a good first day.",
      ],
      ["I've decided against Denmark, I'd rather sleep for two days.", "A wise decision after that week."],
    ],
  },
];

export const SAMPLE_QUESTIONS: readonly SampleQuestion[] = [
  { question: "When is my sister's wedding?", expects: "28th of June", tests: "the date was moved; the newer one holds" },
  { question: "Do I eat meat?", expects: "turned vegetarian", tests: "a preference that changed in May" },
  { question: "What is the booking code for Lisbon now?", expects: "M3TD8P", tests: "a code that replaced another one" },
  { question: "What am I allergic to?", expects: "walnuts", tests: "a fact said once, in passing" },
  { question: "What is my new address?", expects: "Keplerstraße 22", tests: "the old address was told, too" },
  { question: "When did I move house?", expects: "I moved house yesterday", tests: "told the day after as “yesterday”" },
  { question: "How much did I pay for the gravel bike?", expects: "1,180 euros", tests: "an amount among other amounts" },
  { question: "What is the codeword now?", expects: "lighthouse", tests: "a codeword that replaced another one" },
  { question: "Which company is my new job at?", expects: "new job at Klarpuls", tests: "the old job was told, too" },
  { question: "How fast did I finish the half marathon?", expects: "2:04:31", tests: "the plan and the race are two memories" },
  { question: "Who feeds the cat while I'm in Lisbon?", expects: "Emil", tests: "the cat has a name elsewhere" },
  { question: "What did the vet say about Mogli?", expects: "thyroid", tests: "a name and a visit" },
  { question: "Wie war der Zählerstand beim Einzug?", expects: "48213", tests: "German" },
  { question: "我什么时候上中文课?", expects: "每周三", tests: "Chinese" },
];
