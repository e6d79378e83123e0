import { ApiError } from '@assay/contract/client.ts'
import { expect, test } from 'vitest'
import {
  findFileProblem,
  findTextProblem,
  findUrlProblem,
  formatRefusal,
} from './source-problems.ts'

const mib = 2 ** 20

test.each([
  ['', 'Required'],
  [' \n', 'Required'],
  ['A policy.', undefined],
  ['a'.repeat(4 * mib), undefined],
  ['é'.repeat(2 * mib + 1), expect.stringContaining('4.1 MiB. A source has at most 4 MiB')],
])('a text is measured in bytes before it is sent (%#)', (text, problem) => {
  expect(findTextProblem(text)).toEqual(problem)
})

test.each([
  ['https://example.com/returns', undefined],
  [' http://example.com ', undefined],
  ['', 'Required'],
  ['example.com/returns', expect.stringContaining('whole address')],
  ['ftp://example.com', expect.stringContaining('whole address')],
  ['javascript:alert(1)', expect.stringContaining('whole address')],
])('a link must be a whole address: %j', (url, problem) => {
  expect(findUrlProblem(url)).toEqual(problem)
})

test.each([
  ['policy.md', 10, undefined],
  ['POLICY.PDF', 4 * mib, undefined],
  ['policy.pdf', 4 * mib + 1, expect.stringContaining('4.1 MiB. A source has at most 4 MiB')],
  ['policy.docx', 0, 'The file is empty.'],
  ['policy.xlsx', 10, expect.stringContaining('not supported')],
  ['policy', 10, expect.stringContaining('not supported')],
])('a file must have a supported name and size: %s, %i bytes', (name, size, problem) => {
  expect(findFileProblem({ name, size })).toEqual(problem)
})

test.each([
  [
    new ApiError(422, 'VALIDATION_ERROR', 'The document has no text.', { hint: 'Paste it.' }),
    'The document has no text. Paste it.',
  ],
  [
    new ApiError(422, 'VALIDATION_ERROR', 'The URL responds with 404.', {
      ...{ hint: 'It must be readable.', target: 'shop.test' },
    }),
    'The URL responds with 404. It must be readable. Host: shop.test.',
  ],
  [
    new ApiError(413, 'UNREACHABLE', 'The service responded with 413 and no message.'),
    'The source is too large. It may have at most 4 MiB.',
  ],
  [new Error('The file could not be read.'), 'The file could not be read.'],
])('a refusal has its hint and host (%#)', (error, text) => {
  expect(formatRefusal(error)).toBe(text)
})
