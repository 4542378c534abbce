/// The words of join phrases: short, common, and none unkind.
enum PhraseWords {
  static let adjectives = words(
    """
    able acid aged agile airy alert alive ample amber amused ancient apt aqua arctic ardent atomic autumn
    awake azure balmy bare basic beige better big bitter black blank blazing blessed blissful blond bloomy
    blue blunt blush bold bonny bouncy brainy brass brave brazen breezy brief bright brisk broad bronze
    brown bubbly bumpy burly busy buttery calm candid canny careful caring carmine casual celtic central
    cheeky cheery cherry chief chilly chirpy choice chosen chunky civic civil clean clear clever cloudy
    coastal cobalt comfy comic compact cool copper coral cordial cosmic cosy countless crafty creamy crimson
    crisp crystal cubic curious curly cyan dainty damp dapper daring dark dazzling dear decent deep deft
    delicate dense devout dewy digital dim direct distant dizzy double dreamy dry dual dusky dusty eager
    early earnest earthy eastern easy ebony eerie elastic elder elegant elfin emerald eminent empty epic
    equal even exact exotic expert extra fabled fair faithful famed famous fancy fast feathery festive fiery
    fine firm first fit fizzy flat fleet flexible floral fluent fluffy flying focal foggy folksy fond formal
    forest foxy fragrant free fresh frilly frosty frozen fruity full funny furry fuzzy gallant game garden
    gentle genuine giant giddy gifted gilded ginger glad glassy gleaming global glossy glowing golden good
    graceful grainy grand grassy grateful great green grey groovy grown gusty handy happy hardy harvest
    hasty hazel hazy healthy hearty heroic hidden high hollow homely honest hopeful huge humble husky icy
    ideal idle immense indigo inland inner ivory jade jaunty jazzy jolly jovial joyful jumbo junior just
    keen kind kindly kingly known lacy large last late lavender lawful lazy leafy lean legal lemon level
    light likely lilac lime limber linen liquid little lively local lofty lone long loud lovely loyal lucid
    lucky lunar lush lyric magic magnetic main major maple marble marine maroon mature mauve mellow melodic
    merry mighty mild milky minor minty misty mobile modern modest moist mossy mountain musical mutual
    narrow native natural navy neat nervy new nimble noble noisy northern notable novel oaken oceanic olive
    onyx open opal orange orderly organic outer oval pacific pale paper past pastel patient peach peaceful
    pearly peppy perky petite pink placid plain plucky plum plush poetic polar polite polished pretty prime
    prompt proper proud prudent pure purple quaint quick quiet quirky radiant rainy rapid rare ready real
    red regal regular rich ripe robust rocky rosy rough round royal rugged rural russet rustic sable safe
    saffron salty sandy satin scarlet scenic second secret secure serene sharp sheer shiny short shy silent
    silky silver simple sincere single sleek sleepy slender slick slim slow small smart smiling smooth
    snappy snowy snug social soft solar solid sonic southern spare sparkly speedy spicy spiral splendid
    sporty spotted spring spry square stable starry stately steady steep stellar still stoic stone stormy
    strong sturdy subtle sugary summer sunny super supple sure swift tall tame tangy tart tasty tawny teal
    tender thick thin third thorough tidal tidy timely tiny tired topaz total trendy tricky trim tropic true
    trusty turquoise twin ultra unique upbeat upper urban useful usual valid valiant vast velvet verdant
    vernal violet vital vivid vocal warm wavy wealthy western white whole wide wild willing windy winged
    winter wise witty wooden woolly yellow young zany zesty
    """)

  static let nouns = words(
    """
    acorn actor adder agate airship albatross alder alligator almond alpaca anchor angler ant antelope anvil
    apple apricot arbor arch archer armadillo arrow artist ash aspen aster atlas aurora avocado axle badger
    bagel baker balloon bamboo banana banjo barge barley barn basil basin basket bass bay beach beacon
    beaver bee beech beetle bell bench berry birch bison blanket blossom boat bobcat bolt bonfire book boot
    bottle boulder bridge brook broom bucket buffalo bugle bulb bumblebee bunny bus butter button cabin
    cactus camel camera canal canary candle canoe canyon captain caravan cardinal caribou carp carpet carrot
    cart castle cat cavern cedar cello chair chalk channel cherry chest chestnut chicken chimney chipmunk
    cicada cider circle citrus clam clarinet clay cliff clock cloud clover coach coast cobra cocoa coconut
    cod coin comet compass condor cook coral cork corn cottage cotton cougar courier cove cow coyote crab
    crane crater crayon creek cricket crocus crow crown cub cuckoo cup curlew curtain cushion cypress
    daffodil dahlia dairy daisy dancer date deer delta desert desk dingo diver dock doctor dog dolphin
    donkey door dory dove dragon dragonfly drum duck dune eagle easel echo eel egret elder elephant elk elm
    ember emu engine ermine falcon farm farmer fawn feather fennel fern ferret ferry fiddle field fig finch
    fir firefly fish fjord flag flame flamingo flint flower flute foal forest forge fossil fountain fox
    freighter frog galaxy gale garden garlic garnet gate gazelle gecko geyser giraffe glacier glider globe
    goat goldfish goose gopher gorge grape grove guitar gull hammer hammock hamster harbor hare harp harvest
    hat hawk hawthorn hazel heath hedgehog helmet heron hickory hill hippo holly honey hood horizon horn
    horse hound house hyena iceberg iguana impala inlet iris island ivy jackal jacket jaguar jasmine jay
    jelly jersey jet juniper kangaroo kayak kelp kestrel kettle key kite kitten kiwi knot koala ladder ladle
    lagoon lake lamb lamp lantern lark larch lasso lava leaf leek lemur lens leopard letter lever library
    lichen lighthouse lily lime linnet lion lizard llama lobster locket loom lotus lynx lyre macaw magnet
    magnolia magpie mallard mallet mammoth mandolin mango mantis maple marble market marlin marmot marsh
    marten meadow melon merlin meteor mill miner mink mint mirror mole monkey moon moose mosaic moss moth
    mouse mule museum mushroom mussel nectar needle nest newt nickel night nightingale nutmeg oak oar oasis
    oboe ocean octopus olive onion opal opera orange orbit orchard orchid organ oriole osprey ostrich otter
    oven owl oyster paddle painter palm panda pansy panther papaya parade parka parrot parsley path peach
    peacock peanut pear pearl pebble pelican pencil penguin peony pepper perch petal pheasant piano pier
    pigeon pike pilot pine pineapple pirate planet plaza plover plum poet pollen pond pony poplar poppy
    porch porcupine potato prairie prism puffin pumpkin puppy purse python quail quarry quartz quill quilt
    rabbit raccoon radish raft rain raisin ranch raven ray reed reef reindeer rhino ribbon rice ridge river
    robin rocket rooster rope rose ruby rudder saddle saffron sage sailor salmon sandal sapling sapphire
    sardine scarf school scooter seal seed shark sheep shell ship shore shrimp shrub silo singer skate
    sketch skiff skunk sky sled sloth slug snail snow sofa sparrow spider spinach sponge spoon spruce squid
    squirrel stable stag star stork stove stream street sugar sun swallow swan table tadpole tailor tapir
    teacup teapot temple tent tern thicket thimble thistle thrush thunder tiger tile toad toast tomato torch
    tortoise toucan tower tractor trail train tram trout truck trumpet tulip tuna tundra turnip turtle
    umbrella unicorn vale valley vanilla vase viola violin volcano vole wagon wallaby walnut walrus warbler
    wasp water wave weasel whale wharf wheat wheel whistle willow window wolf wombat wood wool wren yacht
    yak yarn yew yogurt zebra zephyr zinnia
    """)

  static let all = Set(adjectives + nouns)

  private static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
