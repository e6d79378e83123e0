/*
 * Sending mail through somebody's SMTP server. A mail is sent while somebody waits for it, so a server that is
 * slow or silent counts as one that failed.
 */

export interface Mail {
  readonly to: string
  readonly subject: string
  /** Plain text. */
  readonly text: string
}

export interface Mailer {
  /** Resolves when the server has taken the mail over; rejects within seconds when it does not. */
  send(mail: Mail): Promise<void>
}

export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password if the server wants them. */
  readonly smtpUrl: string
  readonly from: string
}

const usuallyWithinMs = 8_000

export function openMailer({ smtpUrl, from }: MailSettings, withinMs = usuallyWithinMs): Mailer {
  return {
    async send({ to, subject, text }) {
      // Loaded with the first mail: most starts never send any.
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
      // A server that answers a byte at a time is never silent.
      const timer = setTimeout(
        () => late.reject(new Error('the mail server took too long')),
        withinMs,
      )
      try {
        // As an object: a text of addresses would be read as a list, and a comma would add somebody.
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
