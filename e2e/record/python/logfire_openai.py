"""Logfire's instrumentation of OpenAI within a manual span."""

import logfire
from conversation import MODEL_URL, QUESTION, ask_openai
from openai import OpenAI

# Its exporter is configured by OpenTelemetry's environment variables.
logfire.configure(send_to_logfire=False, console=False, metrics=False, service_version="1.0.0")
client = OpenAI(base_url=MODEL_URL, api_key="none", max_retries=0)
logfire.instrument_openai(client)
with logfire.span("answer {question}", question=QUESTION):
    ask_openai(client)
logfire.shutdown()
