/** Below the documents of a person that the service reads at once: another tab uploads, too. */
const uploadsAtOnce = 2

type Work<Result> = () => Promise<Result>

/** Runs uploads in the order of their calls, a few at once. One that is aborted while it waits never starts. */
export function openUploadQueue() {
  const waiting: (() => void)[] = []
  let running = 0

  function leave(): void {
    running -= 1
    waiting.shift()?.()
  }

  function enter(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        running += 1
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        waiting.splice(waiting.indexOf(start), 1)
        reject(signal.reason as Error)
      }
      if (running < uploadsAtOnce) return start()
      waiting.push(start)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  return async function run<Result>(signal: AbortSignal, work: Work<Result>): Promise<Result> {
    await enter(signal)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
