/*
 * Student's t distribution, for means of few samples.
 */

/** The probability of a value above `t`. */
export function tailAbove(t: number, degrees: number): number {
  const half = incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2
  return t >= 0 ? half : 1 - half
}

/** The value that is exceeded with the probability `tail`, of less than a half. */
export function valueAtTail(tail: number, degrees: number): number {
  let [low, high] = [0, 1]
  while (tailAbove(high, degrees) > tail) high *= 2
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    if (tailAbove(middle, degrees) > tail) low = middle
    else high = middle
  }
  return high
}

/** Regularized, by its continued fraction (Lentz). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The fraction converges fast on this side only.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  )
  const tiny = 1e-300
  const nonZero = (value: number) => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m <= 300; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / nonZero(1 + even * d)
    c = nonZero(1 + even / c)
    fraction *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / nonZero(1 + odd * d)
    c = nonZero(1 + odd / c)
    fraction *= d * c
    if (Math.abs(d * c - 1) < 1e-12) break
  }
  return (front * fraction) / a
}

const lanczos = [
  76.18009172947146, -86.50532032941678, 24.01409824083091, -1.231739572450155,
  0.1208650973866179e-2, -0.5395239384953e-5,
] as const

function logGamma(x: number): number {
  const start = x + 5.5 - (x + 0.5) * Math.log(x + 5.5)
  const series = lanczos.reduce((sum, one, at) => sum + one / (x + 1 + at), 1.000000000190015)
  return -start + Math.log((2.5066282746310007 * series) / x)
}
