import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the range from which the system assigns ports.
const firstPort = 20_000
const portCount = 12_000
// Workers of a test run have parts of their own: one may take a port between the probe of another and its use.
const parts = 4
const portsPerPart = portCount / parts
// oxlint-disable-next-line node/no-process-env -- the number of the worker, which only the test runner knows
const part = Number(process.env['VITEST_POOL_ID'] ?? process.pid) % parts
let next = process.pid * 20

/** A port that nothing listens on. Concurrent processes start at different ports. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + part * portsPerPart + (next++ % portsPerPart)
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
