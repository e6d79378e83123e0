import { afterEach, expect, test } from 'vitest'
import { polite, type SmtpServer, startSmtpServer } from '../../test/smtp-server.ts'
import { openMailer } from './mail.ts'

let server: SmtpServer | undefined
afterEach(() => server?.close())

async function smtpServer(response: (line: string) => string | undefined): Promise<SmtpServer> {
  server = await startSmtpServer(response)
  return server
}

const mail = { to: 'ana@x.org', subject: 'Grüße', text: 'One\n\nhttps://x.org/#token=abc' }

test('a mail reaches the server completely, from the sender and to one address', async () => {
  const { received, smtpUrl } = await smtpServer(polite)
  await openMailer({ smtpUrl, from: 'Assay <assay@x.org>' }).send(mail)
  expect(received).toContain('MAIL FROM:<assay@x.org>')
  expect(received.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<ana@x.org>'])
  expect(received).toContain('https://x.org/#token=abc')
})

test('a recipient that looks like a list is not split', async () => {
  const { received, smtpUrl } = await smtpServer(polite)
  const mailer = openMailer({ smtpUrl, from: 'assay@x.org' })
  await mailer.send({ ...mail, to: 'ana@x.org, eve@evil.example' }).catch(() => undefined)
  await mailer
    .send({ ...mail, to: 'ana@x.org\r\nRCPT TO:<eve@evil.example>' })
    .catch(() => undefined)
  const recipients = received.filter((line) => line.startsWith('RCPT'))
  expect(recipients).not.toContain('RCPT TO:<eve@evil.example>')
})

test('a server that refuses or is down is an error', async () => {
  const refusing = await smtpServer((line) =>
    line.startsWith('RCPT') ? '550 unknown here' : polite(line),
  )
  const from = 'assay@x.org'
  await expect(openMailer({ smtpUrl: refusing.smtpUrl, from }).send(mail)).rejects.toThrow(/550/)
  refusing.close()
  await expect(openMailer({ smtpUrl: refusing.smtpUrl, from }).send(mail)).rejects.toThrow()
})

test('a silent server times out', async () => {
  const { smtpUrl } = await smtpServer(() => undefined)
  const impatient = openMailer({ smtpUrl, from: 'assay@x.org' }, 100)
  await expect(impatient.send(mail)).rejects.toThrow()
})

test('a server that never finishes times out', async () => {
  const { smtpUrl } = await smtpServer((line) => (line === '' ? '220-still talking' : undefined))
  const impatient = openMailer({ smtpUrl, from: 'assay@x.org' }, 100)
  await expect(impatient.send(mail)).rejects.toThrow()
})
