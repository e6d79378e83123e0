"""A LangGraph agent with one tool and a model of any provider."""

from conversation import (
    CLAUDE,
    MODEL,
    MODEL_URL,
    PROVIDER,
    QUESTION,
    ROOT_URL,
    SESSION,
    SYSTEM,
    weather_in,
)
from langchain.agents import create_agent


def get_weather(city: str) -> dict:
    """The weather in a city, now."""
    return weather_in(city)


def chat_model():
    if PROVIDER == "anthropic":
        from langchain_anthropic import ChatAnthropic

        return ChatAnthropic(model=CLAUDE, base_url=ROOT_URL, api_key="none", max_retries=0)
    if PROVIDER == "bedrock":
        from bedrock_conversation import BEDROCK_CLAUDE, bedrock_client
        from langchain_aws import ChatBedrockConverse

        return ChatBedrockConverse(model=BEDROCK_CLAUDE, client=bedrock_client())
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(model=MODEL, base_url=MODEL_URL, api_key="none", max_retries=0)


def ask_langgraph() -> None:
    agent = create_agent(chat_model(), tools=[get_weather], system_prompt=SYSTEM, name="weather")
    config = {"configurable": {"thread_id": SESSION}, "tags": ["weather"]}
    agent.invoke({"messages": [{"role": "user", "content": QUESTION}]}, config)
