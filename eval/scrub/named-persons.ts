/** Persons, living, dead and of fiction, whom the held-out sentences of LongMemEval (MIT) name: read by hand, word by word. A sentence
 * without any of them is clean, and what the tagger takes from it is taken for nothing. Brands and places named after a person are
 * none. */

export const NAMED_PERSONS: ReadonlySet<string> = new Set(
  (
    "Max Rachel Alex Emily Sarah Mike Emma Luna Zara Evelyn Hugo Tom John Billie Eilish Sophia Michaelides Felix Frida Kahlo Augustine David " +
    "Kristin Hannah Ethan Eve Alice Hitomi Junius Elsa Carlos Levi Taylor Reid Jack Willis Celeste Ng Lee Isaac Asimov Loki Andrew Phoebe " +
    "Bridgers Chris Tito Dylan Sammy Lucy Dacus Ryan Tommy Bhante Mary Lily Novak Djokovic Joe Christine Christina Harry Yuval Harari " +
    "Virginia Naomi Alderman Jackson Julia Olivia Ani Anthony Dave Ramsey Agatha Christie Jen Ultron Jemisin James Shakespeare Layla Wayne " +
    "Ramakrishna Kurt Busch Henry Bradbury Moffat Rowling Macbeth Junipero Samantha Lisa Chloe Hal Higdon Tutankhamun Ana Georgia Amélie " +
    "Chen Arthur Circe Shang-Chi Coltrane Kendrick Lamar Mickey mxmtoon Lloyd Webber Charles Hart Rocky Moya Rama Hugh Laurie Alfredo Aiden " +
    "Barbara Johnson Hepworth Linus Starr Kevin Thompson Terry Stephen Baxter Garrett Lin-Manuel Miranda Patricia Wilson Rose Brandon " +
    "Flowers Dinah Whelan Candace Thille Adriene Pratchett Gaiman Trout Daniil Medvedev Aaron Burr Lizzo Umberto Eco Harper Maria Bob " +
    "Matthew Bain Jennifer Weiner Salah Tim Ferriss Hudson Vianne Howard Neal Stephenson Rodgers Jenkins Bayes Evan Hansen Clyfford Still " +
    "Eric Rohmer Elizabeth Junot Díaz Colman Mahomes Burrow Kuang Anna Zamecka Ewa Andrzejewska Maya Angelou Ayobami Adebayo Brady Luke " +
    "Skywalker Marian Corrin Diana Madeline Miller Éponine Frank Wright Tove Khalid Noor Khan Hall Fritz Kolbe Baptiste Ben Waller-Bridge " +
    "Alina Baraz Hans Zimmer Dali Henrietta Lacks Oliver Roger Federer Daisy Jones Ashley Sami Cameron Post Peterson Adam Lambert Cassatt " +
    "Berthe Morisot Gonzalès Kamasi Washington Walter Moers Stephanie Izard Karr Kandinsky Ribera Graham Stephan Yumi-sensei Michael Bowie " +
    "Patch Teddy Anne Gabrielle Zevin Parker Carmine Hecker William Basinski Tycho Chu Bracknell Algernon O'Keeffe Julien Baker Jewell José " +
    "Tony Stark Eckhart Philip Pullman Jessica Kiang Daryl Dixon Charlotte Shari Lapena Fiona Barton Simon Jamie Achilles Cheryl Strayed " +
    "Chopin Fox Amy Foster Alison Bechdel Jesus Paulo Lydia Kafka Christian Durant Clare Shaq Victor Chomsky Nelson Mandela Gozzano Rob " +
    "Cavallo Ray Stalin Ban Guterres António Sanders Krishna Joel Coen Paul Elijah Elisha Casanova Mirza Ghulam Ahmad Robbie Williams " +
    "Magdalene Camus Meursault Beyonce Toni Morrison Childish Gambino Rice Jane Martin Luther King Jesse Owens Steve Aoki Nanak Billy " +
    "Pilgrim Jordan Gaudi Giselle Blake Utena Hemingway Mikhail Gorbachev Willy Donnie Darko Pedro Almodovar Mariana Jair Bolsonaro Paak " +
    "Wilt Chamberlain Holden George Monet Claire North Orange Sally Juan Jimmy August Gary Clark Oldfield Raby Hughes Marshall Father " +
    "Angus Knut Jhansi Galago Bunny Chbosky Dickens Fleetwood Nujabes Robinson Burch Lombax Ratchet Rivet Serenity Samuel Sam Dan Daniel " +
    "Peter Robert Ted Greg Laura Katie Kate Karen Linda Nancy Susan Ella Mia Jake Josh Justin Nick Nina Leo Liam Noah Grace Sophie Zoe"
  ).split(" "),
);
