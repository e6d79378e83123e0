import { type AnchoredRule, keyNear, type ShapeRule, token } from '../rule.ts'
import { isRandomKey } from '../value-checks.ts'

/*
 * Keys of payment and shop providers.
 */

export const paymentTokens: readonly AnchoredRule[] = [
  token('stripe_key', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], /[A-Za-z0-9]{20,}/),
  token('stripe_webhook_secret', ['whsec_'], /[A-Za-z0-9+/]{32,}={0,2}/),
  token('square_token', ['EAAA'], /[\w-]{56,}/),
  token('square_token', ['sq0atp-', 'sq0idp-'], /[\w-]{22}/),
  token('square_token', ['sq0csp-'], /[\w-]{43}/),
  token(
    'paypal_token',
    ['access_token$production$', 'access_token$sandbox$'],
    /[a-z0-9]{16}\$[0-9a-f]{32}/,
  ),
  token('shopify_token', ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shprt_'], /[0-9a-fA-F]{32}/),
  token('razorpay_key', ['rzp_live_', 'rzp_test_'], /[A-Za-z0-9]{14,}/),
  token('flutterwave_key', ['FLWSECK-', 'FLWSECK_TEST-'], /[0-9a-f]{32}-X/),
  token('easypost_key', ['EZAK', 'EZTK'], /[A-Za-z0-9]{54}/),
  token('mercado_pago_token', ['APP_USR-'], /\d{10,20}-\d{6}-[0-9a-f]{32}-\d{6,12}/),
]

export const paymentKeys: readonly ShapeRule[] = [
  keyNear('paypal_secret', ['paypal'], /E[\w-]{79}/, isRandomKey),
  keyNear('plaid_secret', ['plaid'], /[0-9a-f]{30}/, isRandomKey),
]
