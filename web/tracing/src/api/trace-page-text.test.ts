import { ApiError } from '@assay/contract/client.ts'
import { expect, test } from 'vitest'
import { splitTracePage } from './trace-page-text.ts'

test('a page of a trace keeps its numbers and texts as they were sent', () => {
  const trace = `{"trace_id":"a","root_name":${JSON.stringify(',"spans":[')}`
  const spans = `{"input":12345678901234567890},{"output":{"list":[{"spans":[1.0]},"meta":2]},"meta":3}`
  const meta = { pageSize: 2, cursor: ']},"meta":' }
  const text = `{"data":${trace},"spans":[${spans}]},"meta":${JSON.stringify(meta)}}`
  expect(splitTracePage(text)).toEqual({ trace, spans, meta })
})

test.each(['', 'a page of a proxy', '{"data":null}', '{"data":{"trace_id":"a"},"meta":{}}'])(
  'a response that is no such page is refused: %j',
  (text) => expect(() => splitTracePage(text)).toThrow(ApiError),
)
