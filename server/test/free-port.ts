import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the range from which the system assigns ports.
const firstPort = 20_000
const portCount = 12_000
const portsPerProcess = 20
let next = process.pid * portsPerProcess

/** A port that nothing listens on. Concurrent processes start at different ports and use each one once. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + (next++ % portCount)
    const probe = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}
