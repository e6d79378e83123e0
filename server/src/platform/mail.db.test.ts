import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openMailer } from './mail.ts'

/** A mail server with scripted responses that records what it receives. */
async function smtpServer(response: (line: string) => string | undefined) {
  const received: string[] = []
  const sockets = new Set<Socket>()
  server = createServer((socket) => {
    sockets.add(socket)
    let isData = false
    let text = ''
    socket.on('error', () => undefined)
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      for (let end = text.indexOf('\r\n'); end !== -1; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end)
        text = text.slice(end + 2)
        received.push(line)
        if (isData && line !== '.') continue
        isData = line === 'DATA'
        const reply = response(line)
        if (reply !== undefined) socket.write(`${reply}\r\n`)
      }
    })
    const greeting = response('')
    if (greeting !== undefined) socket.write(`${greeting}\r\n`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { received, smtpUrl: `smtp://127.0.0.1:${port}` }
}

let server: Server
let close = () => {}
afterEach(() => close())

function polite(line: string): string {
  if (line === '') return '220 mail.example ready'
  if (line.startsWith('EHLO')) return '250 mail.example'
  return line === 'DATA' ? '354 go on' : '250 fine'
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
  close()
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
