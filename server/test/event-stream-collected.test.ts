import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readEvents } from '@assay/contract/event-stream.ts'
import { expect, test } from 'vitest'

/*
 * The client of the browser and of the service, in Node, whose garbage collection a test can force.
 */

test('events are read although nobody has read the body when its Response is garbage collected', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const server = createServer((_request, response) => {
    response.writeHead(200).flushHeaders()
    setTimeout(() => response.end('data: 1\n\n'), 500)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const open = async () => readEvents((await fetch(`http://127.0.0.1:${port}`)).body!)
  const events = await open()
  for (let round = 0; round < 10; round += 1) {
    collectGarbage()
    await sleep(20)
  }
  expect(await events.next()).toEqual({ value: '1', done: false })
  server.close()
})
