import { validate as isDni } from 'stdnum/lib/cjs/ar/dni.js'
import { validate as isCurp } from 'stdnum/lib/cjs/mx/curp.js'
import { validate as isSsn } from 'stdnum/lib/cjs/us/ssn.js'
import {
  hasLuhnDigit,
  isBrazilianCpf,
  isChileanRut,
  valid,
  withoutSeparators,
} from '../check-digits.ts'
import { identifier, identifierNear, type ShapeRule } from '../rule.ts'

/*
 * Identifiers of people in the Americas.
 */

const ssnWords = ['ssn', 'social security', 'social sec', 'socialsecurity', 'social_security']

/** stdnum rejects the numbers that advertisements have printed. */
function isSocialSecurityNumber(value: string): boolean {
  return valid(isSsn)(value) && !value.endsWith('0000')
}

/** Individual taxpayer numbers have their own ranges in the fourth and fifth digit. */
function isTaxpayerNumber(value: string): boolean {
  const group = Number(withoutSeparators(value).slice(3, 5))
  return (
    (group >= 50 && group <= 65) || (group >= 70 && group <= 99 && group !== 89 && group !== 93)
  )
}

export const americanIdentifiers: readonly ShapeRule[] = [
  // Most texts use 123-45-6789 as a sample. Beside its word it may be meant.
  identifier('us_ssn', /\d{3}-\d{2}-\d{4}/, (value) => {
    return value !== '123-45-6789' && isSocialSecurityNumber(value)
  }),
  identifierNear('us_ssn', ssnWords, /\d{3}([- .]?)\d{2}\1\d{4}/, isSocialSecurityNumber),
  identifier('us_itin', /9\d\d-\d{2}-\d{4}/, isTaxpayerNumber),
  identifierNear(
    'us_itin',
    ['itin', 'individual taxpayer', 'taxpayer id'],
    /9\d\d([- ]?)\d{2}\1\d{4}/,
    isTaxpayerNumber,
  ),
  identifierNear(
    'us_passport',
    ['us passport', 'u.s. passport', 'american passport'],
    /[A-Z]?\d{8,9}/,
    () => true,
  ),
  identifierNear(
    'us_driver_license',
    [
      'driver license',
      "driver's license",
      'drivers license',
      'driver_license',
      'driving license',
      'dl number',
      'DL#',
      'DLN',
    ],
    /[A-Z]\d{7,14}|[A-Z]{1,2}\d{5,8}|\d{7,9}|[A-Z]\d{3}-\d{3,4}-\d{2,4}-\d{3,4}(?:-\d)?|[A-Z]\d{4}-\d{5}-\d{5}/,
    () => true,
  ),
  identifierNear(
    'ca_sin',
    [
      'SIN',
      'sin number',
      'sin:',
      'sin=',
      'sin_',
      '"sin"',
      'social insurance',
      'assurance sociale',
      'NAS',
    ],
    /\d{3}([- ]?)\d{3}\1\d{3}/,
    hasLuhnDigit,
  ),
  identifier('br_cpf', /\d{3}\.\d{3}\.\d{3}-\d{2}/, isBrazilianCpf),
  identifierNear(
    'br_cpf',
    ['cpf', 'cadastro de pessoa'],
    /\d{11}|\d{9}-\d{2}|\d{3} \d{3} \d{3} \d{2}/,
    isBrazilianCpf,
  ),
  identifier('mx_curp', /[A-Z]{4}\d{6}[A-Z]{6}[A-Z0-9]\d/i, (value) =>
    valid(isCurp)(value.toUpperCase()),
  ),
  identifierNear(
    'cl_rut',
    ['rut', 'RUN', 'rol único', 'rol unico'],
    /\d{1,2}(?:\.\d{3}\.\d{3}|\d{6})-?[\dkK]/,
    isChileanRut,
  ),
  identifierNear(
    'ar_dni',
    ['dni', 'documento nacional', 'D.N.I.'],
    /\d{2}\.\d{3}\.\d{3}|\d{8}/,
    valid(isDni),
  ),
  identifierNear(
    'passport',
    [
      'passport',
      'passeport',
      'pasaporte',
      'passaporte',
      'reisepass',
      'passaporto',
      'paspoort',
      'paszport',
      'pasaport',
      'паспорт',
      '护照',
      '護照',
      'パスポート',
      '여권',
    ],
    /(?<![-#/])(?:[A-Z]{1,2} ?\d{6,8}|\d{9}|\d{2} ?\d{2} \d{6}|[A-Z][A-Z0-9]{8})/,
    (value) => value.replace(/\D/g, '').length >= 5,
  ),
]
