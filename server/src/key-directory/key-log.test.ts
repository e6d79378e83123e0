import { createHash, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { appendToLog, emptyLog, logKeyId, newLogKey, signLog } from './key-log.ts'
import { importPublicKey } from './public-keys.ts'

const hash = (text: string) => createHash('sha256').update(text).digest()

test('each head follows from the one before and a statement, and is signed for its organization', () => {
  const { privateKey, publicKey } = newLogKey()
  const empty = emptyLog('one')
  expect(empty).not.toEqual(emptyLog('another'))
  const next = appendToLog(empty, hash('statement').toString('base64url'))
  expect(next.size).toBe(1)
  const both = Buffer.concat([Buffer.from(empty.hash, 'base64url'), hash('statement')])
  expect(next.hash).toBe(createHash('sha256').update(both).digest('base64url'))
  const signature = Buffer.from(signLog(next, 'one', privateKey), 'base64url')
  const isSignatureOf = (text: string) =>
    verify(null, Buffer.from(text), importPublicKey('Ed25519', publicKey), signature)
  expect(isSignatureOf(`{"hash":"${next.hash}","org":"one","size":1,"v":1}`)).toBe(true)
  expect(isSignatureOf(`{"hash":"${next.hash}","org":"another","size":1,"v":1}`)).toBe(false)
  expect(isSignatureOf(`{"hash":"${next.hash}","org":"one","size":2,"v":1}`)).toBe(false)
})

test('the id of a key is its hash', () => {
  const { publicKey } = newLogKey()
  const bytes = Buffer.from(publicKey, 'base64url')
  expect(logKeyId(publicKey)).toBe(createHash('sha256').update(bytes).digest('base64url'))
})
