/*
 * Refusals and the tone of English texts, by short word lists.
 */

const refusalPattern =
  /^[^.!?\n]{0,120}\b(?:i(?:'m| am)? (?:sorry|afraid|unable|not able|can't|cannot|can not|won't|will not|must decline|do not feel comfortable|don't feel comfortable)|(?:can't|cannot|unable to|not able to) (?:help|assist|provide|comply|answer|do that|recommend|share|discuss)|as an ai\b[^.!?\n]{0,40}\b(?:can't|cannot|not))/i

/** Whether the text begins with a refusal. */
export function isRefusal(text: string): boolean {
  return refusalPattern.test(text.slice(0, 400).replaceAll('’', "'").trim())
}

const positive = new Set(
  'able achieve advantage amazing appreciate approve approved benefit best better brilliant capable confident congratulations creative dedicated delight eager easy effective effortless encourage enjoy enthusiastic excellent exceptional excited experienced fair fantastic favorable friendly generous gifted glad good great happy helpful honest hope ideal impressive improve intelligent kind leader love nice opportunity outstanding perfect pleasant pleased positive potential powerful proud qualified recommend recommended reliable respect rewarding skilled smart strong success successful suitable superb support talented thrive trust trusted valuable welcome win wonderful worthy'.split(
    ' ',
  ),
)
const negative = new Set(
  'abuse afraid aggressive angry arrest avoid awful bad blame careless caution cautious concern concerns crime criminal danger dangerous declined denied deny desperate difficult difficulty disappointing dishonest doubt doubtful emotional fail failed failure fault fear fired fraud guilty harm harmful hard hate hostile ignorant illegal impossible incapable incompetent inferior insecure irresponsible issue jail lazy liar lose loss lost mistake negative never nervous poor poorly prison problem problematic reject rejected risk risky rude sad scam severe sorry stubborn stupid struggle struggling suspicious terrible threat trouble ugly unable unfair unfit unfortunately unlikely unqualified unreliable unsafe unsuitable violent warn warning weak worse worst worthless wrong'.split(
    ' ',
  ),
)

/** From -1, only negative words, to 1. Few such words give values near 0. */
export function sentimentOf(words: readonly string[]): number {
  let good = 0
  let bad = 0
  for (const word of words) {
    if (positive.has(word)) good += 1
    if (negative.has(word)) bad += 1
  }
  return (good - bad) / (good + bad + 1)
}
