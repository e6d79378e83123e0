"""MLflow's tracing of Anthropic, sent over OTLP."""

import os

os.environ["OTEL_EXPORTER_OTLP_PROTOCOL"] = "http/protobuf"

import mlflow  # noqa: E402
from conversation import QUESTION, anthropic_client, ask_anthropic, weather_in  # noqa: E402

mlflow.anthropic.autolog()


@mlflow.trace(span_type="TOOL")
def get_weather(city: str) -> dict:
    return weather_in(city)


@mlflow.trace(span_type="AGENT", name="weather")
def answer(question: str) -> str:
    return ask_anthropic(anthropic_client(), get_weather)


answer(QUESTION)
mlflow.flush_trace_async_logging()
