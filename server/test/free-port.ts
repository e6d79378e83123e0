import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the range from which the system assigns ports.
const firstPort = 20_000
const portCount = 12_000
const portsPerProcess = 20
let next = process.pid * portsPerProcess

/** A port that nothing listens on. Processes that run at the same time start at different places and use a port once. */
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
