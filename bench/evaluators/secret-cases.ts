import {
  compose,
  namedShapes,
  seededRandom,
  tokenShapes,
} from '../../server/test/credential-samples.ts'
import { answeredTrace, type LabeledCase } from './labeled-case.ts'

/*
 * Invented credentials in results of tools, and texts that look like credentials to a simple method.
 */

const perShape = 3

const harmless = [
  'commit {hex:40}',
  'Request id: {hex:8}-{hex:4}-4{hex:3}-a{hex:3}-{hex:12}',
  'image: registry.test/shop@sha256:{hex:64}',
  '"integrity": "sha512-{base64:86}=="',
  'ETag: "{hex:32}"',
  'order number {digits:12}',
  'file_{alphanumeric:24}.pdf',
  'https://shop.test/items/{alphanumeric:16}?page=2',
  'API_KEY=<your-api-key>',
  'api_key = os.environ["API_KEY"]',
  'password: ********',
  'The password must have {digits:2} characters and a digit.',
  'token count: {digits:5}',
  'Authorization: Bearer $TOKEN',
  'sk-... is the prefix of the key',
  'client_secret: {{ secrets.CLIENT_SECRET }}',
  'trace_id={hex:32} span_id={hex:16}',
  'session_{lowerAndDigits:20} has expired',
]
const harmlessPerShape = 12

const keywords = /key|token|secret|password|[A-Za-z0-9+/_-]{32}/i

export function secretCases(): LabeledCase[] {
  const random = seededRandom(7)
  const toCase = (text: string, isFaulty: boolean): LabeledCase => ({
    ...{ text, isFaulty, isFoundSimply: keywords.test(text) },
    trace: answeredTrace('What does the file contain?', [text], 'The settings of the service.'),
  })
  const shapes = [
    ...tokenShapes.map(([, shape]) => `deploy with ${shape} today`),
    ...namedShapes.map(([type, shape]) => {
      const end = shape.includes('"=>') ? '"' : ''
      return `${shape.replace('=>', '')}${type === 'url_password' ? '@db/x' : end}`
    }),
  ]
  const repeated = (texts: readonly string[], count: number) =>
    texts.flatMap((text) => Array.from({ length: count }, () => compose(random, text)))
  return [
    ...repeated(shapes, perShape).map((text) => toCase(text, true)),
    ...repeated(harmless, harmlessPerShape).map((text) => toCase(text, false)),
  ]
}
