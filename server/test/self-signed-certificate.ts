import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/*
 * An RSA key and a certificate, generated for one test run so that no secret is in the sources.
 */

export interface KeyAndCertificate {
  /** PKCS #8 in PEM. */
  readonly privateKey: string
  /** In PEM. */
  readonly certificate: string
}

export function selfSigned(name: string): KeyAndCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const der = certificateFor(name, publicKey, createPrivateKey(privateKey))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  const certificate = `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
  return { privateKey, certificate }
}

/** X.509 version 1: subject, validity and key. */
function certificateFor(name: string, publicKey: Buffer, key: KeyObject): Buffer {
  const validity = sequence(utcTime('250101000000Z'), utcTime('491231235959Z'))
  const serial = element(0x02, Buffer.of(1))
  const toBeSigned = sequence(serial, rsaSha256, named(name), validity, named(name), publicKey)
  const signature = sign('sha256', toBeSigned, key)
  return sequence(toBeSigned, rsaSha256, element(0x03, Buffer.concat([Buffer.of(0), signature])))
}

function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.byteLength
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.of(tag, ...length), content])
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return element(0x30, ...parts)
}

function utcTime(text: string): Buffer {
  return element(0x17, Buffer.from(text))
}

const objectId = (hex: string) => element(0x06, Buffer.from(hex, 'hex'))

const rsaSha256 = sequence(objectId('2a864886f70d01010b'), element(0x05))

/** A distinguished name with only a common name. */
function named(commonName: string): Buffer {
  const attribute = sequence(objectId('550403'), element(0x0c, Buffer.from(commonName)))
  return sequence(element(0x31, attribute))
}
