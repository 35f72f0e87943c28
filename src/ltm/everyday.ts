/** Everyday words by the kind of thing that they name, and the words by which a question asks for the kind: what somebody tells of
 * "pottery" answers who asks for their hobbies. Data, in English. */

export interface Everyday {
  readonly name: string;
  /** Words of a question that asks for them. */
  readonly asked: string;
  /** Words of which one makes a memory tell of the kind. */
  readonly words: string;
}

export const EVERYDAY: readonly Everyday[] = [
  {
    name: "sports",
    asked:
      "sport sports exercise exercises workout workouts activity activities hobby hobbies interest interests fitness game games martial arts outdoor",
    words:
      "football soccer basketball baseball softball tennis golf hockey volleyball rugby cricket badminton swimming swim running run jogging jog cycling biking bike hiking hike climbing climb bouldering skiing ski snowboarding surfing surf skating skateboarding yoga pilates gym weightlifting weights boxing kickboxing karate judo taekwondo jiu-jitsu wrestling gymnastics aerobics dancing dance rowing kayaking kayak canoeing sailing diving snorkeling fishing archery marathon triathlon frisbee bowling zumba stretching sprint race triathlete squash fencing parkour trekking padel lacrosse curling darts billiards horseback riding",
  },
  {
    name: "arts and crafts",
    asked: "art arts activity activities hobby hobbies interest interests craft crafts creative",
    words:
      "painting paint drawing draw sketching pottery ceramics clay sculpture photography knitting knit sewing crochet embroidery quilting woodworking carving calligraphy origami collage mural portrait watercolor acrylic oil mosaic poetry writing scrapbook",
  },
  {
    name: "pastimes",
    asked: "activity activities hobby hobbies interest interests leisure relax fun pastime ",
    words:
      "camping picnic gardening garden cooking baking reading read meditation meditate museum zoo park beach concert movie movies theater walk walks shopping karaoke puzzles puzzle chess birdwatching fishing volunteering travel traveling ",
  },
  {
    name: "games",
    asked: "game games boardgame video play plays",
    words:
      "chess checkers monopoly scrabble catan poker cards minecraft fortnite xbox playstation nintendo switch zelda mario tournament console puzzle dungeons quest rpg strategy shooter gamer gaming valorant fifa",
  },
  {
    name: "music and instruments",
    asked:
      "music song songs band bands artist artists musician musicians instrument instruments genre genres concert concerts musical",
    words:
      "guitar piano violin drums drum cello flute clarinet saxophone trumpet ukulele bass keyboard singing sing choir orchestra band jazz rock pop classical country blues reggae metal folk hiphop rap album song songs concert festival beethoven bach mozart accordion banjo harp harmonica mandolin viola trombone techno opera playlist",
  },
  {
    name: "reading",
    asked: "book books story stories novel novels author authors read reading series literature genre",
    words:
      "novel book books fantasy mystery thriller biography memoir fiction author chapter bestseller series trilogy library bookstore kindle read reading",
  },
  {
    name: "screen",
    asked: "movie movies film films show shows series tv documentary genre watch",
    words:
      "movie movies film films show episode season trilogy documentary sequel cinema theater thriller comedy drama sci-fi horror romcom netflix series watched watching",
  },
  {
    name: "animals",
    asked: "pet pets animal animals species bird birds wildlife",
    words:
      "dog dogs puppy puppies pup cat cats kitten kittens rabbit bunny hamster parrot turtle turtles tortoise horse horses pony bird birds fish goldfish lizard snake guinea pig chicken duck cow sheep goat lion tiger bear elephant dolphin whale eagle owl butterfly frog spider labrador retriever shepherd poodle beagle gecko ferret budgie canary mouse rat bee bees squirrel fox deer wolf monkey penguin",
  },
  {
    name: "dishes",
    asked:
      "food foods dish dishes meal meals cuisine recipe recipes snack snacks eat cook cooked cooking ingredient ingredients dinner lunch breakfast favorite",
    words:
      "pizza pasta spaghetti lasagna burger sandwich salad soup stew curry sushi taco tacos burrito rice noodles chicken beef pork steak fish salmon shrimp tofu beans lentils vegetables veggies fruit bread cheese egg eggs pancakes waffles oatmeal smoothie sauce roasted grilled stir-fry bbq hummus quinoa avocado casserole ramen dumplings paella risotto falafel tortilla porridge kebab pie stir fry",
  },
  {
    name: "sweets",
    asked: "dessert desserts sweet sweets treat treats bake baked baking recipe recipes snack snacks food",
    words:
      "cake cakes cupcake cupcakes cookie cookies brownie brownies pie tart ice cream sorbet pudding mousse chocolate candy doughnut muffin muffins cheesecake pastry pastries cinnamon parfait caramel custard",
  },
  {
    name: "drinks",
    asked: "drink drinks beverage beverages",
    words:
      "coffee tea juice smoothie soda beer wine cocktail whiskey milk lemonade water latte espresso cappuccino matcha kombucha champagne gin rum",
  },
  {
    name: "illness and injury",
    asked: "health problem problems injury injuries illness issue issues condition conditions medical ",
    words:
      "injury injured sprained sprain broke broken fracture surgery hospital doctor diagnosed diagnosis pain back knee ankle wrist shoulder heart diabetes asthma cancer flu cold fever allergy anxiety depression stress accident",
  },
  {
    name: "relatives",
    asked: "family relative relatives who people person children kids kid child parents siblings ",
    words:
      "mother mom mum father dad sister brother son daughter wife husband partner girlfriend boyfriend fiance cousin aunt uncle grandma grandpa grandmother grandfather niece nephew kids children parents family twins sibling siblings stepmother stepfather stepson godmother baby toddler",
  },
  {
    name: "friends and colleagues",
    asked: "friend friends who people person team colleagues",
    words:
      "friend friends buddy pal roommate neighbor neighbour colleague colleagues coworker coworkers teammate teammates mentor coach classmate boss",
  },
  {
    name: "places",
    asked:
      "place places where city cities country countries state states area areas location locations destination destinations travel traveled travelled visited visit vacationed trip trips",
    words:
      "beach mountain mountains lake river forest park island desert canyon waterfall museum castle hotel resort cabin village town city downtown europe asia africa america england france spain italy germany ireland scotland japan china india canada mexico brazil australia thailand greece paris london rome barcelona tokyo york california florida texas oregon washington alaska hawaii colorado vermont boston chicago seattle berlin vienna prague amsterdam lisbon portugal sweden norway finland denmark poland turkey egypt morocco kenya korea vietnam indonesia bali singapore argentina peru chile madrid sydney zealand dubai miami denver",
  },
  {
    name: "purchases",
    asked: "store stores shop shops buy bought purchased items item",
    words:
      "bought buy purchased ordered got shoes dress shirt jacket jeans clothes necklace ring bracelet watch bag camera laptop phone tablet car bike book books lamp rug couch sofa table chair tv",
  },
  {
    name: "vehicles",
    asked: "car cars vehicle vehicles transport drive",
    words:
      "car truck van motorcycle bike bicycle jeep suv convertible ford toyota honda scooter engine mechanic tire tires train boat tram trailer camper bmw volkswagen audi",
  },
  {
    name: "jobs and projects",
    asked: "job jobs career work profession business company companies internship role",
    words:
      "job work office company business startup store studio shop freelance manager engineer teacher nurse designer developer programmer chef internship promotion hired fired interview project client clients",
  },
  {
    name: "courses and studies",
    asked: "degree course courses class classes workshop workshops study studies learn skill skills school lesson lessons",
    words:
      "class classes course courses workshop degree major college university school certificate exam exams seminar training lesson lessons thesis lecture online tutorial",
  },
  {
    name: "gatherings and causes",
    asked:
      "event events activity activities community participated attended attend participate group groups organization festival festivals volunteer volunteering volunteered cause causes",
    words:
      "parade festival conference meeting party wedding ceremony fundraiser charity volunteer volunteered volunteering rally march campaign convention fair show exhibition gala marathon event group club protest meetup concert tournament competition reunion picnic birthday dinner church ",
  },
  {
    name: "moods",
    asked: "feel feeling feelings emotion emotions mood",
    words:
      "happy excited proud nervous anxious relieved sad upset frustrated grateful thrilled scared overwhelmed lonely disappointed hopeful confident joy",
  },
  {
    name: "nature",
    asked: "nature outdoors outdoor plant plants flower flowers garden",
    words:
      "sunset sunrise flowers roses sunflowers tree trees forest waterfall river ocean mountain sky stars moon meadow garden plants tomatoes herbs",
  },
  {
    name: "devices and programs",
    asked: "device devices electronics technology tech app apps software tool tools gadget console consoles",
    words:
      "computer laptop phone tablet console pc xbox playstation app apps software website coding programming python javascript robot drone camera keyboard headset monitor printer router smartwatch headphones spreadsheet excel",
  },
];
