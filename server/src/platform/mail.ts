/*
 * Sends mail through an SMTP server. A person waits for each mail, so a slow server counts as failed.
 */

export interface Mail {
  readonly to: string
  readonly subject: string
  /** Plain text. */
  readonly text: string
}

export interface Mailer {
  /** Resolves when the server has accepted the mail; rejects within seconds when it does not. */
  send(mail: Mail): Promise<void>
}

export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password if the server needs them. */
  readonly smtpUrl: string
  readonly from: string
}

const usuallyWithinMs = 8_000

export function openMailer({ smtpUrl, from }: MailSettings, withinMs = usuallyWithinMs): Mailer {
  return {
    async send({ to, subject, text }) {
      // Loaded with the first mail, because most processes never send one.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({
        url: smtpUrl,
        connectionTimeout: withinMs,
        greetingTimeout: withinMs,
        socketTimeout: withinMs,
        dnsTimeout: withinMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      const late = Promise.withResolvers<never>()
      // Against servers that respond slowly byte by byte.
      const timer = setTimeout(
        () => late.reject(new Error('the mail server took too long')),
        withinMs,
      )
      try {
        // As an object: a string would be parsed as a list, in which a comma adds a recipient.
        const recipient = { name: '', address: to }
        await Promise.race([
          transport.sendMail({ from, to: recipient, subject, text }),
          late.promise,
        ])
      } finally {
        clearTimeout(timer)
        transport.close()
      }
    },
  }
}
