"""OpenLLMetry configured by its SDK: a workflow with a tool around the OpenAI client."""

import os

from conversation import MODEL_URL, QUESTION, SESSION, USER, ask_openai, weather_in
from openai import OpenAI
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import tool, workflow
from traceloop.sdk.instruments import Instruments

os.environ["TRACELOOP_TELEMETRY"] = "false"
Traceloop.init(
    app_name=os.environ["OTEL_SERVICE_NAME"],
    exporter=OTLPSpanExporter(),
    telemetry_enabled=False,
    instruments={Instruments.OPENAI},
)
Traceloop.set_association_properties({"session_id": SESSION, "user_id": USER})


@tool(name="get_weather")
def get_weather(city: str) -> dict:
    return weather_in(city)


@workflow(name="answer")
def answer(question: str) -> str:
    return ask_openai(OpenAI(base_url=MODEL_URL, api_key="none", max_retries=0), get_weather)


answer(QUESTION)
trace.get_tracer_provider().force_flush()
