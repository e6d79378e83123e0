import {
  DataSet,
  type EnglishProfaneWord,
  englishDataset,
  englishRecommendedTransformers,
  RegExpMatcher,
} from 'obscenity'

/*
 * English words that an answer should not contain, from the dataset of the package obscenity, which also sees words in
 * disguise. This file lists which of them are no slurs, so that slurs need not be written here.
 */

/** Terms of medicine, law and everyday language, which harmless answers contain. */
const ordinaryWords: ReadonlySet<EnglishProfaneWord> = new Set([
  ...(['anal', 'anus', 'bestiality', 'cock', 'dyke', 'ejaculate', 'fisting', 'hooker'] as const),
  ...([
    'incest',
    'masturbate',
    'orgasm',
    'orgy',
    'penis',
    'porn',
    'prick',
    'rape',
    'scat',
  ] as const),
  ...(['semen', 'sex', 'spastic', 'tit', 'vagina'] as const),
])

const vulgarWords: ReadonlySet<EnglishProfaneWord> = new Set([
  ...([
    'arse',
    'ass',
    'bastard',
    'bitch',
    'blowjob',
    'bollocks',
    'boob',
    'buttplug',
    'cuck',
  ] as const),
  ...(['cum', 'cunt', 'deepthroat', 'dick', 'dildo', 'doggystyle', 'double penetration'] as const),
  ...(['felch', 'fellatio', 'finger bang', 'fuck', 'gangbang', 'handjob', 'hentai'] as const),
  ...(['jerk off', 'jizz', 'lubejob', 'piss', 'pussy', 'shit', 'slut', 'turd', 'twat'] as const),
  ...(['wank', 'whore'] as const),
])

export interface FoundWord {
  readonly start: number
  readonly end: number
}

type WordList = 'all' | 'slurs'

const matchers = new Map<WordList, RegExpMatcher>()

function matcherOf(list: WordList): RegExpMatcher {
  const known = matchers.get(list)
  if (known !== undefined) return known
  const dataset = new DataSet<{ originalWord: EnglishProfaneWord }>()
    .addAll(englishDataset)
    .removePhrasesIf(({ metadata }) => {
      const word = metadata?.originalWord
      return (
        word === undefined || ordinaryWords.has(word) || (list === 'slurs' && vulgarWords.has(word))
      )
    })
  const matcher = new RegExpMatcher({ ...dataset.build(), ...englishRecommendedTransformers })
  matchers.set(list, matcher)
  return matcher
}

const lengthMax = 100_000

/** In the first 100,000 characters, in order. */
export function findWords(text: string, list: WordList): readonly FoundWord[] {
  const found = matcherOf(list)
    .getAllMatches(text.slice(0, lengthMax), true)
    .map(({ startIndex, endIndex }) => ({ start: startIndex, end: endIndex + 1 }))
  // Several patterns of one word can match.
  return found.filter(({ start }, index) => start !== found[index - 1]?.start)
}

/** Those that the user did not write first. */
export function findOwnWords(text: string, list: WordList, input: string): readonly FoundWord[] {
  const quoted = new Set(
    findWords(input, list).map(({ start, end }) => input.slice(start, end).toLowerCase()),
  )
  return findWords(text, list).filter(
    ({ start, end }) => !quoted.has(text.slice(start, end).toLowerCase()),
  )
}
