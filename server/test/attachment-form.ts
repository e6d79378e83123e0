/** The arguments of an upload, as a browser sends the form. */
export function attachmentForm(name: string, content: Buffer | string, field = 'file') {
  const raw = Buffer.concat([
    Buffer.from(
      `--x\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n--x--\r\n'),
  ])
  return { raw, send: { 'content-type': 'multipart/form-data; boundary=x' } }
}
