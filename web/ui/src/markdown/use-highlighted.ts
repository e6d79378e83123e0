import { useEffect, useState } from 'react'
import type { CodePart, CodeToHighlight } from './highlight-code.ts'

/*
 * Highlights code in a worker, which loads the languages with the first code. A text that takes too long is given up with
 * its worker, and stays plain: a model can write one that takes minutes.
 */

const patienceMs = 1000
const rememberedMax = 200

type Parts = readonly CodePart[] | undefined

/** The parts of the code, and the code that they are of: it may have changed since. */
export function useHighlighted(code: string, language: string | undefined) {
  const [found, setFound] = useState<{ readonly code: string; readonly parts: Parts }>()
  useEffect(() => {
    if (language === undefined || code === '') return
    let isCurrent = true
    void highlight({ code, language }).then((parts) => {
      if (isCurrent) setFound({ code, parts })
    })
    return () => {
      isCurrent = false
    }
  }, [code, language])
  return found
}

const remembered = new Map<string, Promise<Parts>>()
let before: Promise<unknown> = Promise.resolve()

function highlight(asked: CodeToHighlight): Promise<Parts> {
  const key = `${asked.language} ${asked.code}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  const result = before.then(() => askWorker(asked))
  before = result
  remembered.set(key, result)
  const [oldest] = remembered.keys()
  if (remembered.size > rememberedMax && oldest !== undefined) remembered.delete(oldest)
  return result
}

let worker: Promise<Worker> | undefined

/** Undefined if it takes too long, or the worker cannot be loaded. */
async function askWorker(asked: CodeToHighlight): Promise<Parts> {
  worker ??= openWorker()
  const opened = await worker.catch(() => undefined)
  if (opened === undefined) return undefined
  const patience = AbortSignal.timeout(patienceMs)
  const parts = nextMessage<CodePart[]>(opened, patience)
  opened.postMessage(asked)
  return await parts.catch(() => {
    opened.terminate()
    worker = undefined
    return undefined
  })
}

async function openWorker(): Promise<Worker> {
  const opened = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' })
  await nextMessage(opened)
  return opened
}

/** Rejects when the worker fails, and when `signal` aborts. */
function nextMessage<Message>(from: Worker, signal?: AbortSignal): Promise<Message> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('The worker does not respond.'))
    from.addEventListener('message', ({ data }) => resolve(data as Message), { once: true })
    from.addEventListener('error', fail, { once: true })
    signal?.addEventListener('abort', fail, { once: true })
  })
}
