import { passagesOf } from '../judge/passages.ts'

/*
 * Sentences that report an action of the assistant as done, in English.
 */

const verbs =
  'sent|emailed|e-mailed|forwarded|replied|posted|published|shared|notified|submitted|uploaded|paid|transferred|refunded|purchased|bought|ordered|charged|issued|credited|deleted|removed|cancelled|canceled|revoked|terminated|unsubscribed|deactivated|disabled|enabled|activated|booked|reserved|scheduled|rescheduled|created|added|updated|changed|modified|saved|stored|set|reset|assigned|moved|renamed|merged|deployed|installed|restarted|executed|ran|filed|opened|closed|registered|subscribed|granted|invited|approved|confirmed|applied|processed|placed|completed|recorded|logged|contacted|called|escalated|fixed|committed|pushed'
const adverbs = String.raw`(?:(?:already|just|now|also|successfully|gone ahead and|been able to) ){0,2}`
const firstPerson = String.raw`\b(?:i|we)(?:['’]ve| have|['’]d| had)? ${adverbs}(?:${verbs})\b`
const passive = String.raw`\b(?:(?:has|have) (?:(?:now|already|just) )?been|your [^.!?\n]{1,60}? (?:was|were|is now|are now)) (?:successfully )?(?:${verbs})\b`
const short = String.raw`^\W{0,5}(?:done|all set|successfully (?:${verbs}))\b`

const claim = new RegExp([firstPerson, passive, short].join('|'), 'i')
/** Conditions and denials before the verb. */
const noClaim =
  /\b(?:if|once|when|unless|until|should|would|could|before|after|not|never|unable|failed|cannot)\b|n['’]t\b/i
const claimsMax = 20
const sentenceMax = 500

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Parts of the text. Code and quotations are left out. */
export function findClaimedActions(text: string): readonly string[] {
  return passagesOf(text)
    .filter((passage) => !passage.startsWith('```'))
    .flatMap((passage) => Array.from(segmenter.segment(passage), (one) => one.segment.trim()))
    .filter(isClaim)
    .map((sentence) => sentence.slice(0, sentenceMax))
    .slice(0, claimsMax)
}

function isClaim(sentence: string): boolean {
  const found = claim.exec(sentence)
  if (found === null || /\?\s*$|^\s*>/.test(sentence)) return false
  return !noClaim.test(sentence.slice(0, found.index + found[0].length))
}
