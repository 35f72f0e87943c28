/** Persons, living, dead and of fiction, whom the held-out sentences of LongMemEval (MIT) name: read by hand, word by word. A sentence
 * without any of them is clean, and what the tagger takes from it is taken for nothing. Brands and places named after a person are
 * none, nor is a word, as "Still" or "Orange", because somebody bears it too. */

/** Words that name nobody else in these sentences. */
const PERSONS = new Set(
  (
    "Max Rachel Alex Emily Sarah Mike Emma Luna Evelyn Hugo Tom John Billie Eilish Sophia Michaelides Felix Frida Kahlo Augustine " +
    "David Kristin Hannah Ethan Hitomi Junius Elsa Carlos Reid Jack Celeste Ng Isaac Asimov Loki Andrew Phoebe Bridgers Chris Tito " +
    "Dylan Sammy Lucy Dacus Ryan Tommy Bhante Mary Lily Novak Djokovic Christine Christina Harry Yuval Harari Naomi Alderman Julia " +
    "Olivia Anthony Dave Ramsey Agatha Christie Jen Ultron Jemisin James Shakespeare Layla Wayne Ramakrishna Kurt Busch Henry " +
    "Bradbury Rowling Macbeth Samantha Lisa Chloe Higdon Tutankhamun Ana Amélie Chen Circe Shang-Chi Coltrane Kendrick Lamar mxmtoon " +
    "Webber Charles Rama Hugh Laurie Aiden Barbara Hepworth Starr Kevin Thompson Terry Stephen Baxter Lin-Manuel Miranda Patricia " +
    "Brandon Dinah Whelan Candace Thille Adriene Pratchett Gaiman Daniil Medvedev Aaron Burr Lizzo Umberto Maria Bob Matthew Jennifer " +
    "Weiner Salah Tim Ferriss Vianne Howard Neal Stephenson Rodgers Jenkins Evan Hansen Clyfford Eric Rohmer Elizabeth Junot Díaz " +
    "Colman Mahomes Kuang Anna Zamecka Ewa Andrzejewska Maya Angelou Ayobami Adebayo Luke Skywalker Corrin Diana Madeline Éponine " +
    "Frank Tove Khalid Noor Fritz Kolbe Baptiste Ben Waller-Bridge Alina Baraz Hans Zimmer Dali Henrietta Oliver Roger Federer Daisy " +
    "Ashley Adam Lambert Cassatt Berthe Morisot Gonzalès Kamasi Walter Moers Stephanie Izard Karr Kandinsky Ribera Graham Stephan " +
    "Yumi-sensei Michael Bowie Teddy Anne Gabrielle Zevin Hecker William Basinski Tycho Chu Bracknell Algernon O'Keeffe Julien Tony " +
    "Eckhart Philip Pullman Jessica Kiang Daryl Dixon Shari Lapena Fiona Simon Jamie Achilles Cheryl Chopin Amy Alison Bechdel Jesus " +
    "Kafka Durant Shaq Victor Chomsky Nelson Mandela Rob Cavallo Ray Stalin Guterres António Sanders Krishna Joel Coen Elijah Elisha " +
    "Casanova Mirza Ghulam Ahmad Robbie Williams Magdalene Camus Meursault Beyonce Toni Morrison Gambino Jane Luther Jesse Steve Aoki " +
    "Nanak Jordan Gaudi Giselle Blake Utena Hemingway Mikhail Gorbachev Willy Donnie Darko Pedro Almodovar Jair Bolsonaro Paak Wilt " +
    "Holden George Monet Claire Sally Juan Gary Oldfield Knut Chbosky Dickens Nujabes Samuel Dan Daniel Robert Ted Greg Laura Katie " +
    "Karen Linda Nancy Susan Ella Mia Jake Josh Justin Nick Nina Leo Liam Noah Grace Sophie Zoe"
  ).split(" "),
);

/** With the words beside it, a name that is a word, a brand or a place in other sentences. */
const IN_FULL: readonly string[] = (
  "Harry August|John Taylor|Taylor Jenkins|Taylor Swift|Rachel Lee|Lee, to get a biopsy|Lee Isaac Chung|Lee Miller|" +
  "Claire North|Khan, was really|Inayat Khan|Georgia O'Keeffe|Virginia Hall|Father Johnson|Luther King|Lloyd Webber|" +
  "Frank Lloyd Wright|rehoming Rocky|Emily Patricia Wilson|Teddy Wilson|Emily Rose|Mike Trout|Phoebe Fox|that Fox was|" +
  "that Fox fell|Martin Luther|Tommy Orange|from Ratchet|Cameron Post|Ben Harper|Clyfford Still|Billy Pilgrim|" +
  "Kamasi Washington|Brandon Flowers|Umberto Eco|Julien Baker|Lisa Jewell|Tony Stark|Amy Foster|Tim Rice|Ban Ki-moon|" +
  "Cheryl Strayed|Joe Burrow|Wilt Chamberlain|Henrietta Lacks|Charles Hart|how Wright|Madeline Miller|Daisy Jones|" +
  "Tameca Jones|Jesse Owens|how Hughes|Childish Gambino|for Charlotte|for Jackson|that Jackson|character, Rivet|" +
  "Fiona Barton|Matthew Bain|Tom Brady|Gary Clark|Joe's shop|Peter and Paul|Pope Paul|Hal Higdon"
).split("|");

/** Brands, places and things with a person's name in them. */
const NOBODY: readonly string[] = (
  "Chuck Taylor|John Muir Trail|Tom Yum|Hagia Sophia|Mary's Church|Shakespeare’s Globe|Johnson & Johnson|Santa Barbara|" +
  "Barbara Sturm|Tim Ho Wan|Elizabeth City|Alice Springs|Trader Joe's|Musso & Frank Grill|Anthony's Fish Grotto|" +
  "Alex and Ani|Bob's Watches|Harry Caray's|Les Paul|Dave's|HBO Max|Max Patch|Willis Tower|Howard Leight|Kate Spade|" +
  "São Paulo|Kurt Geiger"
).split("|");

/** Whether a held-out sentence of LongMemEval names a person. */
export function namesPerson(sentence: string): boolean {
  if (IN_FULL.some((name) => sentence.includes(name))) return true;
  const rest = NOBODY.reduce((text, name) => text.replaceAll(name, " "), sentence);
  return [...rest.matchAll(/[\p{L}'’-]+/gu)].some(([word]) => PERSONS.has(word.replace(/['’]s?$/u, "")));
}
