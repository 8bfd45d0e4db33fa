package prompt

import "strings"

// words are common English words of four letters. Byte-pair tokenizers know
// each of them, with the space before it, as one token, and a tokenizer that
// cuts by characters counts them all alike: so the length of a prompt depends
// on the number of its words and hardly on which ones they are.
var words = strings.Fields(`
able acid aged also area army away baby back ball band bank base bath bear beat been beer bell belt
bend best bill bird blow blue boat body bold bolt bomb bond bone book boot born boss both bowl bulk
burn bush busy cake call calm came camp card care case cash cast cell chat chip city clay clip club
coal coat code cold come cook cool cope copy core corn cost crew crop dark data date dawn days dead
deal dean dear debt deck deep deer desk dial diet dirt disc dish disk does done door down draw drew
drop drug dual duke dust duty each earn ease east easy edge else even ever evil exit face fact fail
fair fall farm fast fate fear feed feel feet fell felt file fill film find fine fire firm fish five
flag flat flow food foot form fort four free from fuel full fund gain game gate gave gear gene gift
girl give glad goal goat goes gold golf gone good gray grew grey grid grip grow gulf hair half hall
hand hang hard harm hate have head hear heat held help here hero high hill hire hold hole holy home
hook hope horn host hour huge hung hunt hurt idea inch into iron item jail join joke jump jury just
keen keep kept kick kill kind king knee knew know lack lady laid lake lamp land lane last late lawn
lead leaf lean left lend lens less life lift like line link lion list live load loan lock logo long
look lord lose loss lost loud love luck lung made mail main make male many mark mask mass mate math
meal mean meat meet menu mere mile milk mill mind mine miss mode mood moon more most move much must
name navy near neck need news next nice nine node none noon nose note oath okay once only onto open
oral oven over pace pack page paid pain pair pale palm park part pass past path peak pick pile pine
pink pipe plan play plot plug plus poem poet pole poll pond pool poor port pose post pour pray pull
pump pure push quit race rail rain rank rare rate read real rear rely rent rest rice rich ride ring
rise risk road rock role roll roof room root rope rose ruin rule rush safe said sail sake sale salt
same sand save seal seat seed seek seem seen self sell send sent ship shoe shop shot show shut sick
side sign silk sing sink site size skin slip slow snow soap soft soil sold sole some song soon sort
soul soup spin spot star stay stem step stop such suit sure swim tail take tale talk tall tank tape
task team tear tell tend tent term test text than that them then they thin this thus tide tied time
tiny told tone took tool tour town tree trip true tube turn twin type unit upon used user vary vast
very view vote wage wait wake walk wall want ward warm wash wave weak wear week well went were west
what when whom wide wife wild will wind wine wing wire wise wish with wolf wood word wore work yard
yeah year your zero zone
`)
