import { useQuery } from '@tanstack/react-query'
import styles from './encryption.module.css'
import { toQrPath } from './qr-path.ts'

/** Modules of white around the code, which the standard (ISO/IEC 18004) requires. */
const quietZone = 4

/** A fingerprint as a QR code. Dark on white with a quiet zone, in the dark theme as well: many scanners need it. */
export function QrCode({ text }: { readonly text: string }) {
  const { data: modules } = useQuery({
    queryKey: ['qr-code', text],
    queryFn: async () => {
      const { encodeQR } = await import('qr')
      return encodeQR(text, 'raw', { ecc: 'medium', border: quietZone })
    },
    staleTime: 'static',
  })
  if (modules === undefined) return <div className={styles.qr} />
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      role="img"
      aria-label="QR code of the fingerprint"
      shapeRendering="crispEdges"
    >
      <path d={toQrPath(modules)} />
    </svg>
  )
}
