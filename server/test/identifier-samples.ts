import { validate as isCpf } from 'stdnum/lib/cjs/br/cpf.js'
import { validate as isSin } from 'stdnum/lib/cjs/ca/sin.js'
import { validate as isAhv } from 'stdnum/lib/cjs/ch/ssn.js'
import { validate as isRut } from 'stdnum/lib/cjs/cl/rut.js'
import { validate as isRic } from 'stdnum/lib/cjs/cn/ric.js'
import { validate as isIdNr } from 'stdnum/lib/cjs/de/idnr.js'
import { validate as isIsikukood } from 'stdnum/lib/cjs/ee/ik.js'
import { validate as isNie } from 'stdnum/lib/cjs/es/nie.js'
import { validate as isHetu } from 'stdnum/lib/cjs/fi/hetu.js'
import { validate as isNir } from 'stdnum/lib/cjs/fr/nir.js'
import { validate as isNino } from 'stdnum/lib/cjs/gb/nino.js'
import { validate as isOib } from 'stdnum/lib/cjs/hr/oib.js'
import { validate as isAadhaar } from 'stdnum/lib/cjs/in/aadhaar.js'
import { validate as isBsn } from 'stdnum/lib/cjs/nl/bsn.js'
import { validate as isFodselsnummer } from 'stdnum/lib/cjs/no/fodselsnummer.js'
import { validate as isPesel } from 'stdnum/lib/cjs/pl/pesel.js'
import { validate as isNif } from 'stdnum/lib/cjs/pt/nif.js'
import { validate as isCnp } from 'stdnum/lib/cjs/ro/cnp.js'
import { validate as isPersonnummer } from 'stdnum/lib/cjs/se/personnummer.js'
import { validate as isThaiId } from 'stdnum/lib/cjs/th/idnr.js'
import { validate as isTcKimlik } from 'stdnum/lib/cjs/tr/tckimlik.js'
import { validate as isNationalId } from 'stdnum/lib/cjs/tw/natid.js'
import { validate as isSsn } from 'stdnum/lib/cjs/us/ssn.js'
import { validate as isSouthAfricanId } from 'stdnum/lib/cjs/za/idnr.js'
import { compose, type Random } from './credential-samples.ts'

/*
 * Invents valid identifiers: random ones of a shape until the validator accepts one.
 */

export interface IdentifierKind {
  readonly type: string
  /** A word without which it is not reported, if it needs one. */
  readonly word?: string
  readonly shape: string
  readonly validate: (value: string) => { readonly isValid: boolean }
}

const date = '{digits:1}{digits:1}0{digits:1}1{digits:1}'

export const identifierKinds: readonly IdentifierKind[] = [
  { type: 'us_ssn', shape: '{digits:3}-{digits:2}-{digits:4}', validate: isSsn },
  { type: 'br_cpf', shape: '{digits:3}.{digits:3}.{digits:3}-{digits:2}', validate: isCpf },
  { type: 'fr_nir', shape: '1{digits:2}0775{digits:8}', validate: isNir },
  { type: 'es_nie', shape: 'X{digits:7}{upper:1}', validate: isNie },
  {
    type: 'fi_hetu',
    shape: '1{digits:1}0{digits:1}{digits:2}-{digits:3}{upper:1}',
    validate: isHetu,
  },
  { type: 'ch_ahv', shape: '756.{digits:4}.{digits:4}.{digits:2}', validate: isAhv },
  { type: 'gb_nino', shape: '{upper:2}{digits:6}A', validate: isNino },
  { type: 'cn_resident_id', shape: '110101198{digits:1}0{digits:1}1{digits:5}', validate: isRic },
  { type: 'us_ssn', word: 'SSN', shape: '{digits:9}', validate: isSsn },
  { type: 'ca_sin', word: 'SIN', shape: '{digits:3} {digits:3} {digits:3}', validate: isSin },
  { type: 'cl_rut', word: 'RUT', shape: '{digits:8}-{digits:1}', validate: isRut },
  { type: 'de_idnr', word: 'Steuer-ID', shape: '{digits:11}', validate: isIdNr },
  { type: 'ee_isikukood', word: 'isikukood', shape: `3${date}{digits:4}`, validate: isIsikukood },
  { type: 'hr_oib', word: 'OIB', shape: '{digits:11}', validate: isOib },
  {
    type: 'in_aadhaar',
    word: 'Aadhaar',
    shape: '{digits:4} {digits:4} {digits:4}',
    validate: isAadhaar,
  },
  { type: 'nl_bsn', word: 'BSN', shape: '{digits:9}', validate: isBsn },
  {
    type: 'no_fodselsnummer',
    word: 'fødselsnummer',
    shape: '1{digits:1}0{digits:1}8{digits:6}',
    validate: isFodselsnummer,
  },
  { type: 'pl_pesel', word: 'PESEL', shape: `${date}{digits:5}`, validate: isPesel },
  { type: 'pt_nif', word: 'NIF', shape: '2{digits:8}', validate: isNif },
  { type: 'ro_cnp', word: 'CNP', shape: `1${date}{digits:6}`, validate: isCnp },
  {
    type: 'se_personnummer',
    word: 'personnummer',
    shape: `${date}-{digits:4}`,
    validate: isPersonnummer,
  },
  { type: 'th_id', word: 'Thai ID', shape: '{digits:13}', validate: isThaiId },
  { type: 'tr_kimlik', word: 'TC kimlik', shape: '{digits:11}', validate: isTcKimlik },
  { type: 'tw_national_id', word: '身分證', shape: 'A1{digits:8}', validate: isNationalId },
  {
    type: 'za_id',
    word: 'South African ID',
    shape: `${date}{digits:4}08{digits:1}`,
    validate: isSouthAfricanId,
  },
]

export function inventIdentifier(random: Random, kind: IdentifierKind): string {
  for (let tries = 0; tries < 100_000; tries += 1) {
    const value = compose(random, kind.shape)
    if (kind.validate(value).isValid && !/^0|0000$/.test(value)) return value
  }
  throw new Error(`No valid ${kind.type} has the shape ${kind.shape}.`)
}
