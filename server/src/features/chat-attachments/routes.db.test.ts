import { addAttachment } from '@assay/contract/chat-attachments.ts'
import { scanMessage } from '@assay/contract/chat-scan.ts'
import { limits } from '@assay/contract/limits.ts'
import { changePassword } from '@assay/contract/profile.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { attachmentForm } from '../../../test/attachment-form.ts'
import { clockAt } from '../../../test/clock-at.ts'
import { compose, seededRandom } from '../../../test/credential-samples.ts'
import {
  docx,
  paragraph,
  pdf,
  pdfBomb,
  pdfPassword,
  pdfWithOwnerPassword,
  wordXml,
  zip,
} from '../../../test/documents.ts'
import { addUser } from '../../../test/people.ts'
import { readTables } from '../../../test/read-tables.ts'
import { runningService } from '../../../test/service-suite.ts'
import type { Credentials } from '../../../test/started-app.ts'
import { unfinishedBodies } from '../../../test/unfinished-bodies.ts'
import { newId } from '../../platform/ids.ts'
import type { UserRow } from '../../storage/accounts/people-tables.ts'

const start = Date.parse('2026-05-01T08:00:00.000Z')
let now = start
const service = runningService({ clock: clockAt(() => now) })
const token = compose(seededRandom(16), 'ghp_{alphanumeric:36}')
let anaUser: UserRow
let ana: Credentials
let ben: Credentials

beforeAll(async () => {
  // Of no organization.
  anaUser = await addUser(service.accounts)
  ana = await service.signedIn(anaUser)
  ben = await service.signedIn(await addUser(service.accounts))
})

type Content = Buffer | string

const upload = (name: string, content: Content, as = ana) =>
  service.call(addAttachment, attachmentForm(name, content), as)

async function read(name: string, content: Content) {
  const answer = await upload(name, content)
  expect([answer.status, answer.error]).toEqual([200, undefined])
  return answer.data
}

/** The code of a refusal that stored nothing. */
async function refusal(name: string, content: Content) {
  const before = await readTables(service)
  const { status, error } = await upload(name, content)
  expect(await readTables(service)).toEqual(before)
  return [status, error.code]
}

describe('an attachment', () => {
  test('is read, scanned and stored for its uploader', async () => {
    const text = `Deploy with ${token}.`
    const attachment = await read('Notes.TXT', text)
    expect(attachment).toEqual({
      ...{ id: expect.any(String), name: 'Notes.TXT', extension: 'txt', size: text.length },
      ...{ chars: text.length, text, truncated: false, notes: [] },
      findings: [
        {
          ...{ category: 'credential', type: 'github_token', confidence: 0.95 },
          ...{ start: 12, end: 12 + token.length, preview: `ghp_…${token.slice(-2)}` },
        },
      ],
    })
    const [row] = await service.query(
      `select * from chat_attachments where id = '${attachment.id}'`,
    )
    expect(row).toMatchObject({ text, blocked: 1, expires_at: '2026-05-02T08:00:00.000Z' })
    expect(row?.['findings']).not.toContain(token)
  })

  test.each(['txt', 'md', 'markdown', 'csv', 'tsv', 'json', 'log'])(
    'with the extension %s is accepted',
    async (extension) => {
      const { text } = await read(`file.${extension}`, '"Returns"')
      expect(text).toBe('"Returns"')
    },
  )

  test('of a PDF has its number of pages, and notes', async () => {
    expect(await read('a.pdf', pdf(['Returns', '']))).toMatchObject({
      ...{ extension: 'pdf', text: 'Returns', pages: 2 },
      notes: ['1 of 2 pages have no text. They may be scans.'],
    })
  })

  test('has no zeros in its text', async () => {
    expect((await read('a.docx', docx(paragraph('Re\u0000turns')))).text).toBe('Returns')
  })

  test('with a long text is truncated, and lists findings up to its limit', async () => {
    const content = '123-45-6788 '.repeat(50_000)
    const { text, truncated, findings } = await read('long.txt', content)
    expect([text.length, truncated]).toEqual([limits.attachmentTextLength.value, true])
    expect(findings).toHaveLength(limits.attachmentFindings.value)
  })

  test('has a name without credentials, which would be sent with its text', async () => {
    const { id, name, extension } = await read(`key ${token} b.txt`, 'Returns')
    const masked = `key ghp_…${token.slice(-2)} b.txt`
    expect([name, extension]).toEqual([masked, 'txt'])
    const [row] = await service.query(`select name from chat_attachments where id = '${id}'`)
    expect(row).toEqual({ name: masked })
  })

  test('has a name without folders, control characters and marks of direction', async () => {
    const name = '../../etc\\a\u0007\u202Egpj\u2066 b.txt'
    expect((await read(name, 'Returns')).name).toBe('agpj b.txt')
    const long = (await read(`${'n'.repeat(300)}.txt`, 'Returns')).name
    expect([long.length, long.slice(-5)]).toEqual([255, 'n.txt'])
  })
})

describe('a file is refused', () => {
  const most = limits.attachmentBytes.value

  test('as INVALID_BODY without the field, without a chosen file, and in another form', async () => {
    const before = await readTables(service)
    for (const args of [
      attachmentForm('a.txt', 'Returns', 'other'),
      attachmentForm('', ''),
      { raw: '{}', send: { 'content-type': 'application/json' } },
      { raw: 'x', send: { 'content-type': 'multipart/form-data' } },
      {},
    ]) {
      const { status, error } = await service.call(addAttachment, args, ana)
      expect([status, error.code]).toEqual([400, 'INVALID_BODY'])
    }
    expect(await readTables(service)).toEqual(before)
  })

  test.each(['a.html', 'a.doc', 'a.txt.exe', 'txt', 'a.pdf.'])(
    'as UNSUPPORTED_TYPE with the name %s',
    async (name) => {
      expect(await refusal(name, 'Returns')).toEqual([422, 'UNSUPPORTED_TYPE'])
    },
  )

  test('for its extension before its size, and for its size before its content', async () => {
    expect(await refusal('a.exe', Buffer.alloc(most + 100_000))).toEqual([422, 'UNSUPPORTED_TYPE'])
    expect(await refusal('a.exe', Buffer.alloc(most + 1))).toEqual([422, 'UNSUPPORTED_TYPE'])
    expect(await refusal('a.txt', Buffer.alloc(most + 100_000))).toEqual([413, 'TOO_LARGE'])
    expect(await refusal('a.txt', Buffer.alloc(most + 1))).toEqual([413, 'TOO_LARGE'])
    // Of short lines, which take the most memory.
    const largest = await read('a.csv', Buffer.alloc(most, 'a,b,\r\n'))
    expect([largest.size, largest.truncated]).toEqual([most, true])
  })

  test.each([
    ['a.exe', 422, 'UNSUPPORTED_TYPE'],
    ['a.txt', 413, 'TOO_LARGE'],
  ])(
    'as soon as more than the limit of %s has arrived, without a declared size',
    async (name, status, code) => {
      const { raw, send } = attachmentForm(name, Buffer.alloc(most + 100_000, 'a'))
      const response = await fetch(service.apiOf(addAttachment) + addAttachment.path, {
        ...{ method: 'POST', headers: { ...send, ...ana }, duplex: 'half' },
        body: new Blob([raw]).stream(),
      })
      const { error } = (await response.json()) as { error: { code: string } }
      expect([response.status, error.code]).toEqual([status, code])
    },
  )

  test.each([
    ['a.txt', '', 'EMPTY'],
    ['a.pdf', '', 'EMPTY'],
    ['a.docx', docx('<w:p/>'), 'EMPTY'],
    ['a.docx', zip({ name: 'word/document.xml', content: 'x', flags: 1 }), 'ENCRYPTED'],
    ['a.pdf', 'Returns', 'UNREADABLE'],
    ['a.docx', docx(paragraph('Returns')).subarray(0, 100), 'UNREADABLE'],
  ])('%s %#: %s as %s', async (name, content, code) => {
    expect(await refusal(name, content)).toEqual([422, code])
  })

  test('with 503 while its uploader sends as much as they may', async () => {
    const bodies = unfinishedBodies(() => service)
    const busy = await service.signedIn(await addUser(service.accounts))
    const status = async () => {
      const answer = await upload('a.txt', 'Returns', busy)
      if (answer.status !== 503)
        await bodies.start(changePassword.path, limits.jsonBodyBytes.value, busy)
      return [answer.status, answer.error?.code]
    }
    await expect.poll(status, { interval: 1 }).toEqual([503, 'INTERNAL_ERROR'])
    bodies.abandon()
  })
})

test('chat case 16: a PDF of scans is EMPTY', async () => {
  expect(await refusal('scan.pdf', pdf(['', '']))).toEqual([422, 'EMPTY'])
})

test('chat case 17: a PDF that opens with a password is ENCRYPTED; one that is protected from changes only is read', async () => {
  expect(await refusal('a.pdf', pdf(['Returns'], pdfPassword))).toEqual([422, 'ENCRYPTED'])
  expect((await read('a.pdf', pdfWithOwnerPassword('Returns'))).text).toBe('Returns')
})

test.each([
  [
    'Shift_JIS after 5 kB of ASCII',
    Buffer.concat([
      Buffer.from('id,name\n'.repeat(640)),
      Buffer.from('8ee688f882cc93958f8a82aa8c9f8d7582b382ea82dc82b582bd', 'hex'),
    ]),
    '取',
  ],
  ['UTF-16', Buffer.from('Rückgaben: 30 Tage', 'utf16le'), 'Rückgaben'],
  ['Windows-1252', Buffer.from('R\u00fcckgaben;5 \u0080', 'latin1'), 'Rückgaben;5 €'],
])('chat case 18: a table in %s is decoded', async (_encoding, content, expected) => {
  expect((await read('a.csv', content)).text).toContain(expected)
})

test('chat case 19: a Word document has its header and footer, and no deleted text', async () => {
  const file = docx(
    `${paragraph('Body')}<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>`,
    { name: 'word/header1.xml', content: wordXml('hdr', paragraph('Head')) },
    { name: 'word/footer1.xml', content: wordXml('ftr', paragraph('Foot')) },
  )
  expect((await read('a.docx', file)).text).toBe('Head\n\nBody\n\nFoot')
})

test('chat case 20: nothing that a Word document links to is read', async () => {
  const image =
    '<Relationship Id="r9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="file:///etc/passwd" TargetMode="External"/>'
  const file = docx(
    `${paragraph('Body')}<w:p><w:r><w:drawing><a:blip r:link="r9"/></w:drawing></w:r></w:p>`,
    {
      name: 'word/_rels/document.xml.rels',
      content: `<Relationships>${image}</Relationships>`,
    },
  )
  expect(await read('a.docx', file)).toMatchObject({ text: 'Body', notes: [] })
})

test('chat case 21: a PDF that decompresses without end is UNREADABLE, and the next one is read', async () => {
  expect(await refusal('a.pdf', pdfBomb(400 * 2 ** 20))).toEqual([422, 'UNREADABLE'])
  expect((await read('a.pdf', pdf(['Returns']))).text).toBe('Returns')
})

test.each([
  ['PDF', pdf(['Returns'])],
  ['zip', zip({ name: 'a', content: Buffer.alloc(1000) })],
  ['OLE', Buffer.from('d0cf11e0a1b11ae100', 'hex')],
  ['PNG', Buffer.from('89504e470d0a1a0a00', 'hex')],
  ['ELF', Buffer.from('7f454c4602', 'hex')],
])(
  'chat case 22: a text that begins as a file of type %s is UNREADABLE',
  async (_type, content) => {
    expect(await refusal('a.txt', content)).toEqual([422, 'UNREADABLE'])
  },
)

describe('the scan of a message with attachments', () => {
  const scan = (ids: readonly string[], text = 'Hi', as = ana) =>
    service.call(scanMessage, { body: { text, attachment_ids: ids } }, as)

  test('is blocked by their findings, which have the id of their attachment', async () => {
    const clean = await read('a.txt', 'Returns')
    const secret = await read('b.txt', `Deploy with ${token}`)
    expect((await scan([clean.id])).data).toEqual({ blocked: false, findings: [] })
    const { blocked, findings } = (
      await scan([clean.id, secret.id.toUpperCase(), secret.id], 'ssn 449874100')
    ).data
    expect(blocked).toBe(true)
    expect(findings.map(({ type, attachment_id }) => [type, attachment_id])).toEqual([
      ['us_ssn', undefined],
      ['github_token', secret.id],
    ])
  })

  test('chat case 23: does not find the attachment of somebody else, and ids are random', async () => {
    const { id } = await read('a.txt', 'Returns')
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/)
    const foreign = await scan([id], 'Hi', ben)
    const unknown = await scan([newId()], 'Hi', ben)
    expect([foreign.status, foreign.error]).toEqual([404, unknown.error])
    expect(foreign.error).toEqual({ code: 'NOT_FOUND', message: 'Attachment not found.' })
    expect((await scan([id])).status).toBe(200)
  })

  test('does not find an attachment after a day', async () => {
    const { id } = await read('a.txt', 'Returns')
    now = start + limits.attachmentHours.value * 3_600_000
    const late = await scan([id], 'Hi', await service.signedIn(anaUser))
    now = start
    expect([late.status, late.error.code]).toEqual([404, 'NOT_FOUND'])
  })

  test('refuses more ids than a message has, and others than ids', async () => {
    for (const ids of [Array.from({ length: 11 }, () => newId()), ['x'], 'x']) {
      const { status, error } = await scan(ids as string[])
      expect([status, error.code]).toEqual([400, 'INVALID_BODY'])
    }
  })
})
