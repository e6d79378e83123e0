"""MLflow's tracing of OpenAI, sent over OTLP."""

import os

os.environ["OTEL_EXPORTER_OTLP_PROTOCOL"] = "http/protobuf"

import mlflow  # noqa: E402
from conversation import MODEL_URL, QUESTION, SESSION, USER, ask_openai, weather_in  # noqa: E402
from openai import OpenAI  # noqa: E402

mlflow.openai.autolog()


@mlflow.trace(span_type="TOOL")
def get_weather(city: str) -> dict:
    return weather_in(city)


@mlflow.trace(span_type="AGENT", name="weather")
def answer(question: str) -> str:
    span = mlflow.get_current_active_span()
    span.set_attributes({"session.id": SESSION, "user.id": USER})
    return ask_openai(OpenAI(base_url=MODEL_URL, api_key="none", max_retries=0), get_weather)


answer(QUESTION)
mlflow.flush_trace_async_logging()
