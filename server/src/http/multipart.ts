import type { UploadedFile } from '@assay/contract/fields.ts'
import { Busboy } from '@fastify/busboy'
import { Failure } from '../platform/failure.ts'

/** The one file in the part named `field` of a multipart body; throws a Failure of `code` where there is none. */
export async function uploadedIn(
  bytes: Uint8Array,
  contentType: string,
  field: string,
  code: 'VALIDATION_ERROR' | 'INVALID_BODY',
): Promise<UploadedFile> {
  const file = await fileIn(bytes, contentType, field).catch((cause: unknown) => {
    throw new Failure(code, 'The body is not valid multipart/form-data.', { cause })
  })
  if (file !== undefined) return file
  throw new Failure(code, `${field} must be a file`)
}

/** More parts than any browser form has. */
const maxParts = 100

function fileIn(
  bytes: Uint8Array,
  contentType: string,
  field: string,
): Promise<UploadedFile | undefined> {
  return new Promise((resolve, reject) => {
    let found: UploadedFile | undefined
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { parts: maxParts },
    })
    parser.on('file', (name, stream, fileName) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', reject)
      stream.on('end', () => {
        if (name === field) found ??= { name: fileName, bytes: Buffer.concat(chunks) }
      })
    })
    parser.on('error', reject)
    parser.on('finish', () => resolve(found))
    parser.end(bytes)
  })
}
