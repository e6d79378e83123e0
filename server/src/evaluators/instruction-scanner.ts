import { normalizeText } from '../detection/normalize-text.ts'
import { decodedBlobs } from './encoded-blobs.ts'
import { findHiddenCharacters } from './hidden-characters.ts'
import type { Signal } from './signal.ts'

/*
 * Finds text addressed to a model instead of a person: phrases of prompt injections, forged chat markup, invisible
 * characters, and the same in encoded form.
 */

/** Of one text, strongest first. */
export function scanForInstructions(text: string): readonly Signal[] {
  const signals = [...findPhrases(text), ...findHiddenCharacters(text, findPhrases)]
  for (const { start, end, decoded } of decodedBlobs(text)) {
    for (const { what, weight } of findPhrases(decoded)) {
      signals.push({ what: `${what}, in encoded form`, weight, start, end })
    }
  }
  return signals.sort((a, b) => b.weight - a.weight || a.start - b.start)
}

interface Phrase {
  readonly what: string
  readonly weight: number
  /** Repetitions are bounded, so that the time is linear. */
  readonly pattern: RegExp
}

/** Up to `max` words between two others. */
const words = (max: number) => String.raw`(?:[^\w.!?]{1,3}[\w'-]{1,20}){0,${max}}?[^\w.!?]{1,3}`
const phrase = (what: string, weight: number, ...sources: string[]): Phrase => ({
  ...{ what, weight },
  pattern: new RegExp(sources.join('|'), 'giu'),
})

const instructions =
  '(?:instructions?|orders|prompts?|rules?|directives?|guidelines?|commands?|programming|context|messages?)'
const ignoring = String.raw`\b(?:ignor(?:e|ing)|disregard(?:ing)?|forg(?:et|etting|ot|otten)|overrid(?:e|ing)|bypass(?:ing)?|neglect|(?:not|don't) (?:listen to|follow|obey))\b`
const secrets =
  '(?:system prompt|chat history|conversation(?: history)?|api[ _-]?keys?|passwords?|credentials|access tokens?|private keys?|secrets)'

const phrases: readonly Phrase[] = [
  phrase(
    'asks to ignore earlier instructions',
    1,
    String.raw`${ignoring}${words(3)}(?:previous(?:ly)?|prior|above|earlier|preceding|former|foregoing|existing|original|system|your)\b${words(2)}${instructions}\b`,
    String.raw`${ignoring}${words(3)}${instructions}\b${words(1)}you\b${words(1)}(?:got|received|learned|given|told|know)\b`,
    String.raw`\b(?:ignore|disregard|forget)\b (?:everything|anything|all(?: of)?)${words(3)}(?:above|before|previously|so far|prior|told|said)\b`,
    String.raw`\bignor(?:iere?|ieren sie)\b${words(3)}(?:vorherigen|vorigen|bisherigen|obigen|früheren)\b${words(1)}(?:anweisungen|instruktionen|befehle|regeln)`,
    String.raw`\b(?:ignora|ignore|olvida|olvide|esqueça|dimentica)\b${words(3)}(?:instrucciones|instruções|istruzioni|órdenes|reglas)\b${words(1)}(?:anteriores|previas|prévias|precedenti)`,
    String.raw`\b(?:ignorez?|oubliez?)\b${words(3)}(?:instructions|consignes|règles)\b${words(1)}(?:précédentes|antérieures|ci-dessus)`,
    String.raw`(?:игнорируй(?:те)?|забудь(?:те)?)[^.!?]{1,20}(?:предыдущ|прежн)[^.!?]{1,10}(?:инструкц|указан|правил)`,
    '(?:忽略|无视|忘记)(?:你|您)?(?:之前|以上|先前|上面|前面)的?(?:所有|全部|任何)?的?(?:指令|指示|说明|提示|规则)',
    '(?:これまで|以前|上記|前)の(?:すべての|全ての)?(?:指示|命令|ルール)を?(?:すべて)?(?:無視|忘れ)',
  ),
  phrase(
    'contains forged chat markup',
    0.9,
    String.raw`<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|>`,
    String.raw`\[/?(?:INST|SYS|SYSTEM)\]|<</?SYS>>`,
    String.raw`^[ \t]{0,8}(?:#{2,6}[ \t]{0,4}|<)(?:new )?(?:system|admin|developer)(?: (?:prompt|message|instructions?|override))?[ \t]{0,4}(?:>|:)`,
    String.raw`\b(?:begin|end|start) of (?:system|new) (?:prompt|instructions?|message)\b`,
  ),
  phrase(
    'asks for the system prompt',
    0.7,
    String.raw`\b(?:reveal|print|show|repeat|output|display|leak|tell me|give me|disclose|recite|write out)\b${words(3)}(?:system|initial|hidden|original|secret|full|entire|exact|internal)${words(1)}(?:prompts?|instructions?|guidelines)\b`,
    String.raw`\b(?:reveal|print|repeat|output|display|leak|recite|write out)\b${words(2)}(?:above|previous|prior|preceding|your)\b${words(1)}(?:prompt|instructions)\b`,
    String.raw`\brepeat\b${words(2)}(?:everything|words|text|all)${words(2)}above\b`,
    String.raw`\bwhat (?:is|are|were) your (?:system|initial|original|hidden|secret) (?:prompt|instructions)\b`,
  ),
  phrase(
    'asks to drop restrictions',
    0.8,
    String.raw`\b(?:you are|you're|act as|become|enter|enable|switch to|activate)\b${words(3)}(?:DAN|jailbroken|developer mode|god mode|unrestricted|unfiltered|uncensored|root access mode)\b`,
    String.raw`\bdo anything now\b`,
    String.raw`\b(?:without|no longer|not|no)\b${words(3)}(?:bound|constrained|restricted|limited|restrictions|limitations|filters|safeguards)\b${words(3)}(?:openai|anthropic|content polic(?:y|ies)|ethic(?:s|al)|safety|guidelines|moral)`,
    String.raw`\bpretend\b${words(4)}(?:no|without)${words(2)}(?:restrictions|rules|guidelines|limits|filters)\b`,
  ),
  phrase(
    'addresses an AI instead of a person',
    0.7,
    String.raw`\b(?:note|message|instructions?|attention|reminder|notice) (?:to|for) (?:the |any |all )?(?:ai|a\.i\.|llms?|(?:language )?models?|assistants?|chatbots?|agents?|bots?)\b(?: (?:assistants?|models?|agents?))?\s{0,2}[:,—-]`,
    String.raw`\b(?:if|when) you(?: are|'re) an? (?:ai|llm|(?:large )?language model|chatbot|ai (?:assistant|agent|model))\b`,
    String.raw`\b(?:any|all|dear|attention,?|hey) (?:ai|llms?|language models?|ai (?:assistants?|agents?|models?))\b${words(6)}(?:must|should now|should instead|are (?:now )?(?:required|instructed)|is (?:now )?(?:required|instructed))\b`,
    String.raw`\byour (?:new|real|true|actual|updated) (?:instructions?|task|goal|objective|mission|purpose|role) (?:is|are)\b`,
    String.raw`\b(?:new|updated|additional) (?:system )?instructions?\s{0,2}:`,
  ),
  phrase(
    'asks to keep something from the user',
    0.8,
    String.raw`\b(?:do not|don't|never|avoid|must not|without)\b${words(2)}(?:tell|telling|mention|mentioning|inform|informing|notify|notifying|reveal|revealing|disclose|disclosing|alert|alerting|warn|warning|ask|asking)\b${words(4)}(?:the )?(?:user|human|person you)\b`,
    String.raw`\b(?:do not|don't|never)\b${words(1)}(?:mention|reveal|disclose)\b${words(2)}(?:this|these|that)\b${words(2)}(?:instructions?|step|tool call|action|message)\b`,
  ),
  phrase(
    'asks to send confidential data away',
    0.8,
    String.raw`\b(?:send|forward|post|upload|email|e-mail|transmit|exfiltrate|leak|append|include|pass|encode)\b${words(6)}${secrets}\b${words(8)}(?:to|at|into|in|as|via) [^\s]{0,40}(?:https?:|@|url|endpoint|webhook|server|parameter|sidenote)`,
  ),
  phrase(
    'gives orders about other tools',
    0.6,
    String.raw`<important>|\b(?:important|critical|mandatory)\s{0,2}[:!]\s{0,2}(?:before|after|whenever|when|always)\b${words(6)}(?:tool|function|call|respond|answer)`,
    String.raw`\b(?:before|after|when|whenever|instead of)\b${words(1)}(?:using|calling|invoking|running)\b${words(2)}(?:any|other|another|all)\b${words(2)}(?:tools?|functions?)\b[^.!?\n]{0,40}\b(?:must|always|first|read|call|pass|send)\b`,
  ),
]

/** In the text without disguises. */
function findPhrases(text: string): Signal[] {
  const normalized = normalizeText(text)
  return phrases.flatMap(({ what, weight, pattern }) => {
    const signals: Signal[] = []
    for (const match of normalized.text.matchAll(pattern)) {
      const start = normalized.toOriginalStart(match.index)
      const end = normalized.toOriginalEnd(match.index + match[0].length)
      signals.push({ what, weight, start, end })
      if (signals.length === matchesMax) break
    }
    return signals
  })
}

/** The verdict depends on the strongest signal. */
const matchesMax = 5
