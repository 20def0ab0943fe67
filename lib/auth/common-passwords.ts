// The most common passwords, from the list of zxcvbn (MIT licence): those that are long enough to be accepted otherwise, and the
// words that short ones are made of.

const listed = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

const PASSWORDS = listed(`
123qweasdzxc 1qaz2wsx3edc q1w2e3r4t5y6 1q2w3e4r5t6y mailcreated5240 qazwsxedcrfv 123456qwerty qwerty123456
polniypizdec0211 sojdlg123aljg leavemealone 123456654321 gfhjkmgfhjkm qazwsxedc123 ghjcnjgfhjkm zxcasdqwe123
sonyericsson ghhh47hj7649 123456789qwe 1qazxsw23edc qwerasdfzxcv qweasdzxc123 flvbybcnhfnjh 123456789987654321
112233445566 ghbdtnrfrltkf websolutions finalfantasy 1qaz2wsx3edc4rfv chickenwing101 unbelievable administrator
123321123321 justinbieber contortionist 123qwe123qwe newproject2004 masturbation needforspeed businessbabe
123456789123 masterbaiting maurolarastefy supernatural professional domainlock2005 scandinavian dkflbvbhjdbx
hd764nw5d7e1vb1 qazwsxedcrfvtgb 123456789012 dkflbvbhjdyf counterstrike zaq1xsw2cde3 vfvfvskfhfve 123456789abc
fkmnthyfnbdf intelligence ghjcnjghjcnj admin18533362 23176djivanfros 123456789qwerty qazxswedcvfr qwertyasdfgh
whosyourdaddy 1111111111zz fktrcfylhjdbx fktrcfylhjdyf 541233432442 123456789qaz ghbdtnghbdtn password1234
12345678900987654321 chesterfield 010203040506 lost4815162342 102030405060 vanyarespekt qwerty123456789 89231243658s
iseedeadpeople transformers devilmaycry4 combat123654 qwertyytrewq jamesbond007 123123qweqwe 4815162342lost
123456789qqq asdfghjkl123 1234qwerasdf 123qwe456rty 1234567890qw ghjcnjrdfibyj qwertyuiop123 international
saun24865709 q1w2e3r4t5y6u7 ptybnxtvgbjy polniypizdec110211 1qa2ws3ed4rf 123456789zxc 12345678987654321 playstation3
31217221027711 159753159753 mevefalkcakk 1234567890qwe hedimaptfcor cosmopolitan q1w2e3r4t5y6u7i8 zqjphsyf6ctifgu
lhbjkjubz2957704 123456782000 andrewjackie 1qazxsw23edcvfr4 12qw34er56ty christopher1 159753456852 networkingpe
philadelphia boy4u2ownnyc ingodwetrust minecraft123 digitalprodu installdevic an83546921an13 qawsedrftgyh abc123456789
123321qweewq auckland2010 residentevil olcrackmaster 1234567890zzz 32615948worms 012345678910 avrillavigne
massimiliano nhfdvfnjkju123 742617000027 41d8cd98f00b nemvxyheqdd5oqxyxyzi temppassword punksnotdead fynfyfyfhbde
nightcrawler playstation2 gjkysqgbpltw ticketmaster 01telemike01 stratocaster ghjcnjqgfhjkm installsqlst 123456789101
1234567890qaz frederiksberg 1a2s3d4f5g6h passwordpassword schoolgirlie sanfrancisco 89876065093rax 1234567qwertyu
lytghjgtnhjdcr 111222333000 nhecsyfujkjdt zaqwsxcderfv seemnemaailm qwaszxerdfcv antananarivu greenlantern
qazwsxqazwsx vfrcbvvfrcbv 1234qwerasdfzxcv ghjcnjgbpltw 123321456654 1234567890987654321 1234567890qwerty
q1w2e3r4t5y6u7i8o9p0 morganstanley 59382113kevinp qwe123qwe123 gtnhjpfdjlcr zxcvbn123456 bltynbabrfwbz warhammer40k
passwordstandard maprchem56458 construction bpgjldsgjldthnf iampurehaha2 qazxswedc123 qwertyuiop10 stinkyfinger
cjdthitycndj corperfmonsy weihnachtsbau 1234567892000 1234567887654321 stickdaddy77 123456789000 014702580369
asdfgh123456 necronomicon mortalkombat 123qwerty123 systemofadown qaz123wsx456 nastyanastya zxcvbnm123456789
satisfaction cheeseburger a1s2d3f4g5h6 122333444455555 vladimirovna 111222333444555 ilovemyfamily michaeljackson
vfhbyfvfhbyf qwertyuiop12345 1qa2ws3ed4rf5tg websolutionssu amadeusptfcor specialinsta 123456789asd nhfycajhvths
rfnthbyf1988 paraklast1974 webuivalidat msorcloledbr nondriversig 123456789qwer wazzkaprivet weihnachtsbaum
fktrcfylhjdf z1x2c3v4b5n6m7 ghjnbdjcnjzybt qwertyuiop12 sonnenschein anytimetoday ntktdbpjh1994 thecakeisalie
ontheoutside zcfvfzkexifz qwertasdfgzxcvb ghjatccbjyfk aksjdlasdakj89879 23wkoa0fp78dk marinamarina fatima753357
6215mila6215 zaq12wsxcde3 love777321777 123456789aaa 4815162342lf pfqwtd27121988 cnfc35762209 12345677654321
zxcvbnmmnbvcxz civilization findaupair007 alpha135792468 ghtdtlvtldtl edwardcullen gfhfktkjuhfv qazwsx123456
lytdybrbdfvgbhf asd123asd123 passwordassword ronaldinho10 ipo54tj45uy856 89semtsriuty foreveryoung sdicmt7seytn
blacksonblon 420842084208555 ktjynsq40147 1a2a3a4a5a6a bullnuts2003 050605rostik 19960610ilja 123456zxcvbn
z1x2c3v4b5n6 entertainment 89063032220m badiman28200 123ewqasdcxz nhbujyjvtnhbz polniypizdec1102 hd764nw5d7e1vbv
josephphone7 gthtrfnbgjkt configuratio msoracle32re bhrh0h2oof6xbqjeh 193570356033
`);

const WORDS = listed(`
password qwerty dragon baseball football monkey letmein shadow master michael mustang qwertyuiop superman qazwsx
jordan jennifer killer trustno hunter harley zxcvbnm asdfgh buster andrew batman soccer tigger charlie robert sunshine
thomas iloveyou ranger daniel hockey george computer michelle jessica starwars pepper klaster zxcvbn freedom princess
joshua maggie ginger amanda ashley love cheese nicole summer matthew chelsea dallas biteme matrix william yankees
taylor corvette austin access martin heather thunder merlin secret diamond hello anthony hammer qwer silver gfhjkm
justin patrick richard bailey internet samantha golfer scooter test orange cookie qwert maverick jackson sparky mickey
phoenix bigdog snoopy guitar whatever chicken morgan andrea camaro mercedes peanut ferrari cowboy falcon welcome
samsung steelers joseph smokey dakota melissa arsenal boomer eagles tigers marina nascar gateway porsche yellow
monster spider diablo hannah bulldog junior london purple compaq lakers iceman hardcore cowboys money banana boston
brandon tennis johnny miller coffee scooby edward nikita mother yamaha brandy barney chester oliver charles player
knight forever steven rangers midnight chicago bigdaddy redsox victoria badboy angel please fender chris jasper james
slayer rabbit natasha rachel marine wizard marlboro raiders prince casper fishing flower crystal jasmine panties
iwantu adidas winner winter gandalf enter ghbdtn angela mike golden lauren cocacola winston madison angels panther
spanky shannon sophie johnson asdfasdf david toyota tiger murphy canada danielle jonathan liverpoo muffin cooper
apples jackie dennis black passwrd john abcd sandra pokemon slipknot carlos qazxsw scorpion qwaszx nathan startrek
rainbow asdfghjkl razz redskins newyork gemini cameron qazwsxedc florida liverpool turtle nicholas viking booger
wilson sierra doctor rocket victor dolphins captain bandit jaguar packers pookie peaches asdf blue dolphin helpme
tucker theman tiffany maxwell jeremy qwertyui debbie albert maddog lovers monica alex united giants nirvana metallic
hotdog rosebud mountain benjamin warrior stupid elephant success bond bonnie alexis lucky jason scorpio samson rush
azerty freddy driver willie calvin sydney gators dexter bubba creative golf voodoo happy arthur trouble america nissan
gunner rebecca stella garfield gordon jessie parker asdfghjk apollo jack eminem december legend airborne beavis august
bear apple brooklyn godzilla skippy buddy kitten magic shelby beaver phantom fred nothing asdasd williams xavier
braves darkness blink travis copper tomcat platinum qweqwe girls bigboy green power animal police online voyager
lifehack fish sniper trinity walter blazer heaven lover snowball playboy bubbles loveme hooters cricket marvin willow
donkey topgun nintendo saturn family november gabriel destiny pakistan pumpkin digital sergey chance explorer redwings
private therock runner lasvegas guinness beatles fire cassie christin celtic broncos andrey babygirl nelson donald
scott eclipse cartman fluffy louise michigan testing carolina little samuel alexande birdie steve cherry pantera
sharon gibson vampire mexico peter buffalo montana genius beer flyers maximus school minecraft lovely stalker
metallica doggie carter kristina kimberly spencer speedy barbara snickers sabrina carmen marcus bronco yankee friends
paradise dreams magnum horses cool caroline lacrosse goober member qwertyu enigma scotty pimpin bollocks brian surfer
sammy genesis poohbear dave star qweasdzxc baby racing friend hawaii eagle billy viper october vanessa poopoo einstein
stanley walker paul drowssap stephen courtney simple alaska badger action jake bill denise jester spitfire drummer
forest patricia maryjane champion diesel svetlana rock friday kevin mark gregory pamela frank hotrod chevy anderson
douglas westside security google shorty tester thumper hitman mozart general reddog zaqwsx music lizard alexander
melanie ruslan vincent sweet teresa scarface marshall olivia veronica buddha spirit frankie stargate antonio liberty
natalie mercury naruto suzuki semperfi king popcorn spooky marley system brittany claudia kelly scotland free kitty
cherokee vikings simpsons death leslie rascal qweasd jimmy loveyou hummer allison rocky patches russia adrian jupiter
penguin howard passion honda vfhbyf andre vladimir franklin sandman infinity homer bastard raider passport assman
fantasy bulldogs horney domino budlight ironman disney norman softball bishop francis brutus ford redrum brooke bigred
jeffrey jesus fktrcfylh karina marines kawasaki digger ireland oksana fireman cougar college alicia russell houston
monday bradley sarah justice super wildcats tinker duncan dancer logitech avalon swordfis everton reggie motorola
alexandr molly timothy hentai claire patriots madonna colorado eugene ducati kermit juventus indian connor galore
freeuser smooth house titanic boogie simpson warcraft wolverin elizabet arizona saints valentin georgia asdfg accord
matt baxter denver mitchell christ yfnfif smith stinky zachary roland naughty nccd spiderma chopper brenda extreme
virginia water skyline poop zombie pearljam froggy pirate fylhtq vision awesome alyssa dreamer predator bullet empire
wolf kirill people elvis panthers skipper nemesis peekaboo rasdzv simon alison rolltide american cardinal arnold
chevelle daddy psycho danger mookie manutd tommy hobbes vegeta goblue burton fyfcnfcbz picard bobby windows loverboy
lovelove vfrcbv victory bambam turkey serega tweety hiphop galina changeme rooster polina berlin taurus electric
ronald avatar mine raptor alpha maksim spring brazil eric newport hard kenneth hendrix madmax england sublime britney
france darkside bigman hercules lawrence wolfpack classic lincoln ronaldo spiderman blizzard cheyenne wombat cjkysirj
raymond brother kristen pandora devils simone holiday wildcat horse kramer sterling caesar alabama carrie bondage
basketball sports pickle catch leather shaggy chronic flowers robbie admin gracie amber airplane perfect kodiak
billybob katana sunset crazy good stingray maria anna snowman phpbb chocolat zeppelin garcia detroit wolves pontiac
candy firebird gundam panzer outlaw time pretty fisher connie honey business trevor redhead hardon greenday tarheels
nastya hellfire cobra engineer savage service serenity sasha michele dude lickme fireball white remember darkstar
miranda flash harvey oscar strike freddie pavilion beauty bobafett adam dbrnjhbz jeff bigmac duke clinton bowling
jenny natali future harrison jones wallace swimming apache rulez pyramid dodgers girl whynot defender teens morris
trooper cancer precious packard lucifer popeye weasel raven icecream stewart tanner swordfish blonde sandy presario
rockstar viktor manager cheryl norton control wutang airforce julian atlanta pimp spike thailand looking casino paris
mouse lennon bluebird theone hawkeye hacker lisa dustin elaine nfnmzyf sailor catfish goldfish maxima tattoo barbie
light design pervert machine herman wrangler rocks trucks nipples roscoe tornado jerry lights bubble cadillac madman
orlando pegasus target longhorn laura philip browns eatme stefan cannon dilbert baller microsoft winnie christia katie
shooter xfiles qazqaz street seattle corona amateur cthutq prelude beach malibu freaky assassin integra atlantis
dragons iloveu unicorn lonewolf regina stealth kristin tony peewee openup bobcat stacey software newton leonardo
student srinivas angelina young enjoy valentina trigger lolita athena shotgun coyote bruins veronika dollar country
joker babydoll lestat hottie smiley potter random sweety woody chipper snake samurai video gizmo maddie devildog
valerie mistress flipper express powers sosoaljg cessna teacher goldie moose polaris piglet cookies elena montreal
hjvfirf ladies wolfgang fatboy scully father single wicked daisy fetish foobar castle tickle bunny pepsi balls transam
dfvgbh oicu impala sunday hotstuff ronnie jasmin ryan gambit toshiba basketba lancer birthday texas stephani hooker
knicks roberto stinger testtest kathleen savannah shamrock benson squirt deftones trucker nick redneck goldberg alfred
blaster siemens shelly renegade manson subaru ibanez blondie hamilton casey swinger reaper cristina minnie mylove
harry galaxy lindsay dudley farmer gloria special blahblah enterpri travel babylon bigone sweetpea sugar smoke skeeter
indiana great ficken trfnthbyf freeman curtis smitty marino joanne bigfoot escort babes check larisa trumpet tristan
spartan asdfghj sister valera stormy paladin andreas cavalier marathon hamlet aardvark mister manchester rusty
napoleon seven indigo hornet skater jerome pierre wonder toronto rose indians karate buckeyes julie hesoyam fredfred
charger highland sweetie holland chiefs diamonds buckeye aurora campbell griffin brandi redman passwor chandler
drpepper monika maiden elizabeth leonard bernie brown garden storm autumn linda thuglife millie jungle pencil tomtom
insane pizza timber sherlock mariah audrey hamster aragorn pioneer techno catdog lollol triumph sidney fktrctq none
sophia morpheus island hobbit blabla aaron pascal sampson consumer justme marion stones chrissy tyler nadine marie
goforit burger pitbull kelsey adgjmptw spartak german karen kissme hunting kaiser martha colors artist harold italia
sammie barcelona mario nicolas virgin pebbles sundance isabella overlord emerald callie doggy irina racecar isabelle
germany goddess change wesley nipple basket joejoe holly poison zipper alpine shirley element huskers marcel eddie
danny christy sakura chichi inside ultimate dirty nicola ncce blackie omega watson rommel geronimo nikki caserta
trojan philips sergio nugget tarzan bassman warren trixie chicks aleksandr cream webster help sherry manuel portugal
dodger anakin bobbob bomber michel madness superfly loser florence yvonne fatcat global ybrbnf energy desire wrinkle
soldier bianca warlock martina babe andrei larry seminole peace alejandr westham concrete harris margaret hector
christop ladybug network bernard weed tintin qazxswedc trombone chuck pleasure rhbcnbyf home history bluesky sherman
logan january onelove cotton christian cdtnkfyf sunny archie holden brianna vfvjxrf titans stallion lindsey singer
truck smile party missy hansolo angelo joanna natalia beagle phillip panama smiles juice qawsed inferno moon mongoose
connect kingkong snatch flatron bluemoon turbo rocker personal emily blessed snakes dominic joey forget finger beetle
jamaica alberto mulder jamie susan immortal head passat plastic dietcoke spunky long whiskey monitor giovanni cactus
ripper spyder markus planet teen patton exigen sticky waters nolimit daniela hollywoo abigail morrison katrina trunks
andy always diana deedee clifford april speed japan mission pickles million sailing freak holmes bonehead fernando
ghbdtnbr charlott delta yomama darren rubber newman faster bertha memphis sylvia open maurice hongkong olga jumper
unreal geheim rodney nylons sebastia pentium legion shalom kennedy brooks movie dodge dream graham sprite curious
pacific loulou funtime philly ferret niners orion werewolf milton cantona kingdom stars africa office boeing gilbert
abgrtyu pirates
`);

/** Whether a password is among the first guesses: a common one, or one common word with digits or repeated. */
export function isCommon(password: string): boolean {
  const plain = password.toLowerCase();
  const letters = plain.replace(/[^\p{L}]/gu, "");
  if (PASSWORDS.has(plain) || WORDS.has(letters) || isRun(plain)) return true;
  return [2, 3, 4].some((times) => WORDS.has(letters.slice(0, letters.length / times)) && isRepeated(letters, times));
}

function isRepeated(text: string, times: number): boolean {
  return text.slice(0, text.length / times).repeat(times) === text;
}

/** Whether every character follows the one before it, on the keyboard or in the alphabet, up or down. */
function isRun(text: string): boolean {
  const rows = ["12345678901234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm"];
  return rows.some((row) => [row, [...row].reverse().join("")].some((line) => line.includes(text)));
}
