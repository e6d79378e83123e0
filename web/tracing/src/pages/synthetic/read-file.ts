/** The content of a file, as Base64. */
export function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,?/, ''))
    reader.onerror = () =>
      reject(new Error('The browser could not read the file. Choose it again.'))
    reader.readAsDataURL(file)
  })
}
