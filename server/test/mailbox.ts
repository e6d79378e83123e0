import type { Mail, Mailer } from '../src/platform/mail.ts'

/*
 * An SMTP server for tests: stores mail, and can be made to fail.
 */

export interface Mailbox extends Mailer {
  readonly mails: readonly Mail[]
  /** While true, all mail is refused. */
  isBroken: boolean
  /** Resolves with the next mail to the address. */
  nextTo(address: string): Promise<Mail>
}

export function openMailbox(): Mailbox {
  const mails: Mail[] = []
  const waiting = new Map<string, (mail: Mail) => void>()
  return {
    mails,
    isBroken: false,
    async send(mail) {
      if (this.isBroken) throw new Error('the mailbox is unavailable')
      mails.push(mail)
      waiting.get(mail.to)?.(mail)
    },
    nextTo: (address) => new Promise((resolve) => waiting.set(address, resolve)),
  }
}

/** The token in the fragment of the one link in a mail. */
export function tokenIn({ text }: Mail): string {
  const token = /#token=([A-Za-z0-9_-]+)/.exec(text)?.[1]
  if (token === undefined) throw new Error(`no link in: ${text}`)
  return token
}
